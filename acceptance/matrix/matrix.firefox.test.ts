/** Half of the matrix in Firefox. */
import { testFirefox } from '../firefox.ts'
import { half } from './cells.ts'
import { matrixSuite } from './matrix.suite.ts'
import { visitedWindows } from './windows.ts'

matrixSuite(visitedWindows(testFirefox()), half(0), 1)
