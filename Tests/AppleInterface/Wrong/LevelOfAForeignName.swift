// error: type 'OSLogType' has no member 'warning'
import os

func note() { Logger(subsystem: "A", category: "B").log(level: .warning, "full") }
