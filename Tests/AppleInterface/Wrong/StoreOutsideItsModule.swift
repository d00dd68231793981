// error: cannot inherit from non-open class 'SMStore' outside of its defining module
import Seam3

class OtherStore: SMStore {}
