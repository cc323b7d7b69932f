/** What every browser does alike, in Firefox. */
import { testFirefox } from '../firefox.ts'
import { IN_EACH_BROWSER } from './cells.ts'
import { matrixSuite } from './matrix.suite.ts'
import { visitedWindows } from './windows.ts'

matrixSuite(visitedWindows(testFirefox()), IN_EACH_BROWSER, 1)
