#include "escape.h"
#include <setjmp.h>

static jmp_buf point;
static int is_protected = 0;

int protect_call(void (*function)(void)) {
    if (setjmp(point) != 0) {
        is_protected = 0;
        return 0;
    }
    is_protected = 1;
    function();
    is_protected = 0;
    return 1;
}

void escape_call(void) {
    if (is_protected) longjmp(point, 1);
}
