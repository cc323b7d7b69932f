/** Another quarter of the matrix in WebKit. */
import { quarter } from './cells.ts'
import { matrixSuite } from './matrix.suite.ts'
import { webKit } from './windows.ts'

matrixSuite(webKit, quarter(2), 1)
