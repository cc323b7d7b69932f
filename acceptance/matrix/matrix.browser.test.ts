/** Ways to show a page, gates, and what can be on it: every two of them together, in Chromium. */
import { launchChromium } from '../isolation-visitor.ts'
import { CHOSEN } from './cells.ts'
import { matrixSuite } from './matrix.suite.ts'
import { visitedBrowser } from './windows.ts'

matrixSuite(() => visitedBrowser(launchChromium), CHOSEN, 6)
