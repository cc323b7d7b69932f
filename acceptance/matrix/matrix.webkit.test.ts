/** The other half of the matrix in WebKit. */
import { half } from './cells.ts'
import { matrixSuite } from './matrix.suite.ts'
import { webKit } from './windows.ts'

matrixSuite(webKit, half(1), 1)
