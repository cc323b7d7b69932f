/** Half of the matrix in Firefox. */
import { launchFirefox } from '../firefox.ts'
import { half } from './cells.ts'
import { matrixSuite } from './matrix.suite.ts'
import { visitedBrowser } from './windows.ts'

matrixSuite(() => visitedBrowser(launchFirefox), half(0), 1)
