#pragma once
#include <stdarg.h>
typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;
typedef struct sqlite3_context sqlite3_context;
typedef struct sqlite3_value sqlite3_value;
typedef long long int sqlite3_int64;
typedef unsigned long long int sqlite3_uint64;
typedef struct sqlite3_api_routines sqlite3_api_routines;
typedef void (*sqlite3_destructor_type)(void *);
#define SQLITE_STATIC ((sqlite3_destructor_type)0)
#define SQLITE_TRANSIENT ((sqlite3_destructor_type)-1)

#define SQLITE_OK 0
#define SQLITE_ERROR 1
#define SQLITE_INTERNAL 2
#define SQLITE_PERM 3
#define SQLITE_ABORT 4
#define SQLITE_BUSY 5
#define SQLITE_LOCKED 6
#define SQLITE_NOMEM 7
#define SQLITE_READONLY 8
#define SQLITE_INTERRUPT 9
#define SQLITE_IOERR 10
#define SQLITE_CORRUPT 11
#define SQLITE_NOTFOUND 12
#define SQLITE_FULL 13
#define SQLITE_CANTOPEN 14
#define SQLITE_PROTOCOL 15
#define SQLITE_EMPTY 16
#define SQLITE_SCHEMA 17
#define SQLITE_TOOBIG 18
#define SQLITE_CONSTRAINT 19
#define SQLITE_MISMATCH 20
#define SQLITE_MISUSE 21
#define SQLITE_NOLFS 22
#define SQLITE_AUTH 23
#define SQLITE_FORMAT 24
#define SQLITE_RANGE 25
#define SQLITE_NOTADB 26
#define SQLITE_NOTICE 27
#define SQLITE_WARNING 28
#define SQLITE_ROW 100
#define SQLITE_DONE 101
#define SQLITE_INTEGER 1
#define SQLITE_FLOAT 2
#define SQLITE_TEXT 3
#define SQLITE_BLOB 4
#define SQLITE_NULL 5
#define SQLITE_UTF8 1
#define SQLITE_DETERMINISTIC 0x000000800
#define SQLITE_OPEN_READONLY 0x00000001
#define SQLITE_OPEN_READWRITE 0x00000002
#define SQLITE_OPEN_CREATE 0x00000004
#define SQLITE_OPEN_URI 0x00000040
#define SQLITE_OPEN_NOMUTEX 0x00008000
#define SQLITE_OPEN_FULLMUTEX 0x00010000
#define SQLITE_OPEN_FILEPROTECTION_COMPLETEUNTILFIRSTUSERAUTHENTICATION 0x00300000
#define SQLITE_PREPARE_PERSISTENT 0x01
#define SQLITE_LIMIT_LENGTH 0
#define SQLITE_FCNTL_HAS_MOVED 20
#define SQLITE_FCNTL_JOURNAL_POINTER 28
#define SQLITE_SYNC_FULL 0x00003
#define SQLITE_CHECKPOINT_PASSIVE 0

const char *sqlite3_libversion(void);
int sqlite3_open_v2(const char *filename, sqlite3 **ppDb, int flags, const char *zVfs);
int sqlite3_close(sqlite3 *);
int sqlite3_close_v2(sqlite3 *);
int sqlite3_exec(sqlite3 *, const char *sql, int (*callback)(void *, int, char **, char **), void *, char **errmsg);
int sqlite3_extended_result_codes(sqlite3 *, int onoff);
sqlite3_int64 sqlite3_last_insert_rowid(sqlite3 *);
int sqlite3_changes(sqlite3 *);
int sqlite3_total_changes(sqlite3 *);
void sqlite3_interrupt(sqlite3 *);
int sqlite3_busy_timeout(sqlite3 *, int ms);
void sqlite3_free(void *);
const char *sqlite3_errmsg(sqlite3 *);
int sqlite3_errcode(sqlite3 *);
int sqlite3_extended_errcode(sqlite3 *);
int sqlite3_limit(sqlite3 *, int id, int newVal);
int sqlite3_prepare_v2(sqlite3 *, const char *zSql, int nByte, sqlite3_stmt **ppStmt, const char **pzTail);
int sqlite3_prepare_v3(sqlite3 *, const char *zSql, int nByte, unsigned int prepFlags, sqlite3_stmt **ppStmt, const char **pzTail)
    __attribute__((availability(macos, introduced=10.14))) __attribute__((availability(ios, introduced=12.0)))
    __attribute__((availability(watchos, introduced=5.0))) __attribute__((availability(tvos, introduced=12.0)));
char *sqlite3_expanded_sql(sqlite3_stmt *pStmt);
int sqlite3_bind_blob(sqlite3_stmt *, int, const void *, int n, void (*)(void *));
int sqlite3_bind_blob64(sqlite3_stmt *, int, const void *, sqlite3_uint64, void (*)(void *));
int sqlite3_bind_double(sqlite3_stmt *, int, double);
int sqlite3_bind_int64(sqlite3_stmt *, int, sqlite3_int64);
int sqlite3_bind_null(sqlite3_stmt *, int);
int sqlite3_bind_text(sqlite3_stmt *, int, const char *, int, void (*)(void *));
int sqlite3_bind_zeroblob(sqlite3_stmt *, int, int n);
int sqlite3_bind_parameter_count(sqlite3_stmt *);
int sqlite3_clear_bindings(sqlite3_stmt *);
int sqlite3_column_count(sqlite3_stmt *pStmt);
int sqlite3_step(sqlite3_stmt *);
const void *sqlite3_column_blob(sqlite3_stmt *, int iCol);
double sqlite3_column_double(sqlite3_stmt *, int iCol);
sqlite3_int64 sqlite3_column_int64(sqlite3_stmt *, int iCol);
const unsigned char *sqlite3_column_text(sqlite3_stmt *, int iCol);
int sqlite3_column_bytes(sqlite3_stmt *, int iCol);
int sqlite3_column_type(sqlite3_stmt *, int iCol);
int sqlite3_finalize(sqlite3_stmt *pStmt);
int sqlite3_reset(sqlite3_stmt *pStmt);
int sqlite3_create_function_v2(sqlite3 *db, const char *zFunctionName, int nArg, int eTextRep, void *pApp,
    void (*xFunc)(sqlite3_context *, int, sqlite3_value **), void (*xStep)(sqlite3_context *, int, sqlite3_value **),
    void (*xFinal)(sqlite3_context *), void (*xDestroy)(void *));
int sqlite3_create_collation_v2(sqlite3 *, const char *zName, int eTextRep, void *pArg,
    int (*xCompare)(void *, int, const void *, int, const void *), void (*xDestroy)(void *));
const void *sqlite3_value_blob(sqlite3_value *);
double sqlite3_value_double(sqlite3_value *);
sqlite3_int64 sqlite3_value_int64(sqlite3_value *);
const unsigned char *sqlite3_value_text(sqlite3_value *);
int sqlite3_value_bytes(sqlite3_value *);
int sqlite3_value_type(sqlite3_value *);
void *sqlite3_user_data(sqlite3_context *);
void sqlite3_result_blob64(sqlite3_context *, const void *, sqlite3_uint64, void (*)(void *));
void sqlite3_result_double(sqlite3_context *, double);
void sqlite3_result_error(sqlite3_context *, const char *, int);
void sqlite3_result_int64(sqlite3_context *, sqlite3_int64);
void sqlite3_result_null(sqlite3_context *);
void sqlite3_result_text(sqlite3_context *, const char *, int, void (*)(void *));
void sqlite3_result_zeroblob(sqlite3_context *, int n);
int sqlite3_get_autocommit(sqlite3 *);
void *sqlite3_commit_hook(sqlite3 *, int (*)(void *), void *);
const char *sqlite3_db_filename(sqlite3 *db, const char *zDbName);
void *sqlite3_wal_hook(sqlite3 *, int (*)(void *, sqlite3 *, const char *, int), void *);
void *sqlite3_update_hook(sqlite3 *, void (*)(void *, int, char const *, char const *, sqlite3_int64), void *);
int sqlite3_wal_checkpoint_v2(sqlite3 *, const char *zDb, int eMode, int *pnLog, int *pnCkpt);
int sqlite3_file_control(sqlite3 *, const char *zDbName, int op, void *);

// What reads and writes the files.
typedef struct sqlite3_file sqlite3_file;
typedef struct sqlite3_vfs sqlite3_vfs;
typedef struct sqlite3_io_methods {
    int iVersion;
    int (*xClose)(sqlite3_file *);
    int (*xRead)(sqlite3_file *, void *, int iAmt, sqlite3_int64 iOfst);
    int (*xWrite)(sqlite3_file *, const void *, int iAmt, sqlite3_int64 iOfst);
    int (*xTruncate)(sqlite3_file *, sqlite3_int64 size);
    int (*xSync)(sqlite3_file *, int flags);
    int (*xFileSize)(sqlite3_file *, sqlite3_int64 *pSize);
    int (*xLock)(sqlite3_file *, int);
    int (*xUnlock)(sqlite3_file *, int);
    int (*xCheckReservedLock)(sqlite3_file *, int *pResOut);
    int (*xFileControl)(sqlite3_file *, int op, void *pArg);
    int (*xSectorSize)(sqlite3_file *);
    int (*xDeviceCharacteristics)(sqlite3_file *);
} sqlite3_io_methods;
struct sqlite3_file {
    const sqlite3_io_methods *pMethods;
};
struct sqlite3_vfs {
    int iVersion;
    int szOsFile;
    int mxPathname;
    sqlite3_vfs *pNext;
    const char *zName;
    void *pAppData;
    int (*xOpen)(sqlite3_vfs *, const char *zName, sqlite3_file *, int flags, int *pOutFlags);
    int (*xDelete)(sqlite3_vfs *, const char *zName, int syncDir);
    int (*xAccess)(sqlite3_vfs *, const char *zName, int flags, int *pResOut);
    int (*xFullPathname)(sqlite3_vfs *, const char *zName, int nOut, char *zOut);
};
sqlite3_vfs *sqlite3_vfs_find(const char *zVfsName);
int sqlite3_vfs_register(sqlite3_vfs *, int makeDflt);

int sqlite3_auto_extension(void (*xEntryPoint)(void))
    __attribute__((availability(macos, introduced=10.4, deprecated=10.10, message="process-global extensions are not supported")))
    __attribute__((availability(ios, introduced=5.0, deprecated=8.0, message="process-global extensions are not supported")))
    __attribute__((availability(watchos, introduced=2.0, deprecated=2.0, message="process-global extensions are not supported")))
    __attribute__((availability(tvos, introduced=9.0, deprecated=9.0, message="process-global extensions are not supported")));
