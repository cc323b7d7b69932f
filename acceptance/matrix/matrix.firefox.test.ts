/** A quarter of the matrix in Firefox. */
import { launchFirefox } from '../firefox.ts'
import { quarter } from './cells.ts'
import { matrixSuite } from './matrix.suite.ts'
import { visitedBrowser } from './windows.ts'

matrixSuite(() => visitedBrowser(launchFirefox), quarter(1), 1)
