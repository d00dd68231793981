// error: 'async' call in a function that does not support concurrency
import Seam3

func sync(_ store: SMStore) throws { _ = try store.sync() }
