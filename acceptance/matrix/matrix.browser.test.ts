/** Every way a page can be shown, with everything that can be on it, in Chromium. */
import { launchChromium } from '../isolation-visitor.ts'
import { everyCell } from './cells.ts'
import { matrixSuite } from './matrix.suite.ts'
import { visitedBrowser } from './windows.ts'

matrixSuite(() => visitedBrowser(launchChromium), everyCell(), 6)
