// Leaving a Swift call that has raised what on Apple's systems is an exception. What the call has
// allocated is lost, which a fuzzer can afford.

/// Calls a function; returns 1 if it returned, and 0 if it was left by escape_call.
int protect_call(void (*function)(void));

/// Leaves the innermost protect_call; returns if there is none.
void escape_call(void);
