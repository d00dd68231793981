#pragma once
typedef long long off_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned short mode_t;
typedef unsigned short nlink_t;
typedef int dev_t;
typedef unsigned long long ino_t;
typedef long ssize_t;
typedef long time_t;
typedef int suseconds_t;
typedef int blksize_t;
typedef long long blkcnt_t;
typedef unsigned long long rlim_t;
typedef unsigned int socklen_t;
typedef unsigned char sa_family_t;
typedef unsigned int useconds_t;
typedef unsigned long size_t;

struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
struct stat {
    dev_t st_dev;
    mode_t st_mode;
    nlink_t st_nlink;
    ino_t st_ino;
    uid_t st_uid;
    gid_t st_gid;
    dev_t st_rdev;
    struct timespec st_atimespec;
    struct timespec st_mtimespec;
    struct timespec st_ctimespec;
    struct timespec st_birthtimespec;
    off_t st_size;
    blkcnt_t st_blocks;
    blksize_t st_blksize;
    unsigned int st_flags;
    unsigned int st_gen;
};
int stat(const char *path, struct stat *result);
int lstat(const char *path, struct stat *result);
int fstat(int descriptor, struct stat *result);
#define S_IFMT 0170000
#define S_IFDIR 0040000
#define S_IFREG 0100000
#define S_IRUSR 0000400
#define S_IWUSR 0000200

#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x00000004
#define O_APPEND 0x00000008
#define O_CREAT 0x00000200
#define O_TRUNC 0x00000400
#define O_EXCL 0x00000800
#define O_EVTONLY 0x00008000
#define O_CLOEXEC 0x01000000
#define F_DUPFD 0
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_FULLFSYNC 51
#define FD_CLOEXEC 1
#define LOCK_SH 0x01
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define LOCK_UN 0x08
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define PATH_MAX 1024
int flock(int descriptor, int operation);
int close(int descriptor);
ssize_t read(int descriptor, void *bytes, size_t count);
ssize_t write(int descriptor, const void *bytes, size_t count);
ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset);
ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset);
off_t lseek(int descriptor, off_t offset, int whence);
int ftruncate(int descriptor, off_t length);
int truncate(const char *path, off_t length);
int fsync(int descriptor);
int unlink(const char *path);
int rename(const char *from, const char *to);
int link(const char *from, const char *to);
int symlink(const char *from, const char *to);
int mkdir(const char *path, mode_t mode);
int rmdir(const char *path);
int chmod(const char *path, mode_t mode);
int access(const char *path, int mode);
int isatty(int descriptor);
int pipe(int descriptors[2]);
int dup(int descriptor);
int dup2(int from, int to);
int gethostname(char *name, size_t count);
char *realpath(const char *path, char *result);
pid_t getpid(void);
pid_t getppid(void);
uid_t getuid(void);
uid_t geteuid(void);
int setuid(uid_t user);
unsigned int alarm(unsigned int seconds);
int kill(pid_t process, int signal);
int raise(int signal);
unsigned int sleep(unsigned int seconds);
int usleep(useconds_t microseconds);
int sched_yield(void);
long sysconf(int name);
int getpagesize(void);
pid_t waitpid(pid_t process, int *status, int options);
#define _SC_NPROCESSORS_ONLN 58
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGABRT 6
#define SIGKILL 9
#define SIGPIPE 13
#define SIGTERM 15
#define SIGSTOP 17
#define SIGCONT 19
#define SIGXFSZ 25
#define SIGUSR1 30
#define SIGUSR2 31
void (*signal(int signal, void (*handler)(int)))(int);

struct rlimit { rlim_t rlim_cur; rlim_t rlim_max; };
#define RLIMIT_CPU 0
#define RLIMIT_FSIZE 1
#define RLIMIT_DATA 2
#define RLIMIT_STACK 3
#define RLIMIT_CORE 4
#define RLIMIT_NOFILE 8
int getrlimit(int resource, struct rlimit *result);
int setrlimit(int resource, const struct rlimit *limit);
struct rusage {
    struct timeval ru_utime;
    struct timeval ru_stime;
    long ru_maxrss;
    long ru_ixrss;
    long ru_idrss;
    long ru_isrss;
    long ru_minflt;
    long ru_majflt;
    long ru_nswap;
    long ru_inblock;
    long ru_oublock;
    long ru_msgsnd;
    long ru_msgrcv;
    long ru_nsignals;
    long ru_nvcsw;
    long ru_nivcsw;
};
#define RUSAGE_SELF 0
#define RUSAGE_CHILDREN -1
int getrusage(int who, struct rusage *result);

typedef enum : unsigned int {
    _CLOCK_REALTIME = 0,
    _CLOCK_MONOTONIC = 6,
    _CLOCK_MONOTONIC_RAW = 4,
    _CLOCK_PROCESS_CPUTIME_ID = 12,
    _CLOCK_THREAD_CPUTIME_ID = 16
} clockid_t;
#define CLOCK_REALTIME _CLOCK_REALTIME
#define CLOCK_MONOTONIC _CLOCK_MONOTONIC
#define CLOCK_PROCESS_CPUTIME_ID _CLOCK_PROCESS_CPUTIME_ID
#define CLOCK_THREAD_CPUTIME_ID _CLOCK_THREAD_CPUTIME_ID
int clock_gettime(clockid_t clock, struct timespec *result);
int gettimeofday(struct timeval *result, void *zone);
time_t time(time_t *result);
struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
    long tm_gmtoff;
    char *tm_zone;
};
struct tm *gmtime_r(const time_t *time, struct tm *result);
time_t timegm(struct tm *const time);
int utimes(const char *path, const struct timeval *times);

void exit(int status) __attribute__((noreturn));
void _exit(int status) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));
int atexit(void (*function)(void));
char *getenv(const char *name);
int setenv(const char *name, const char *value, int overwrite);
int unsetenv(const char *name);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void free(void *pointer);
void *memcpy(void *to, const void *from, size_t count);
void *memmove(void *to, const void *from, size_t count);
void *memset(void *to, int byte, size_t count);
int memcmp(const void *left, const void *right, size_t count);
void *memchr(const void *bytes, int byte, size_t count);
size_t strlen(const char *text);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t count);
char *strerror(int number);
char *strdup(const char *text);
double strtod(const char *text, char **end);
long strtol(const char *text, char **end, int base);
long long strtoll(const char *text, char **end, int base);
double atof(const char *text);
int atoi(const char *text);
unsigned int arc4random(void);
unsigned int arc4random_uniform(unsigned int bound);

typedef struct __sFILE {
    unsigned char *_p;
    int _r;
    int _w;
    short _flags;
    short _file;
} FILE;
extern FILE *__stdinp;
extern FILE *__stdoutp;
extern FILE *__stderrp;
int fflush(FILE *file);
int fputs(const char *text, FILE *file);
void setbuf(FILE *file, char *buffer);
int setvbuf(FILE *file, char *buffer, int mode, size_t size);
#define _IOLBF 1
#define _IONBF 2
char *fgets(char *text, int count, FILE *file);

typedef struct _opaque_pthread_t *pthread_t;
typedef struct { long sig; char opaque[56]; } pthread_mutex_t;
pthread_t pthread_self(void);
int pthread_equal(pthread_t left, pthread_t right);
int pthread_main_np(void);

double floor(double x);
double ceil(double x);
double round(double x);
double trunc(double x);
double rint(double x);
double sqrt(double x);
double pow(double x, double y);
double exp(double x);
double log(double x);
double log2(double x);
double log10(double x);
double fabs(double x);
double fmod(double x, double y);
double sin(double x);
double cos(double x);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);
double nextafter(double x, double y);
double modf(double x, double *whole);
float floorf(float x);
float sqrtf(float x);
long long llabs(long long x);
int abs(int x);
