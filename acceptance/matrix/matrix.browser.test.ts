/** Ways to show a page, gates, and what can be on it: every two of them together, in Chromium. */
import { testChromium } from '../isolation-visitor.ts'
import { CHOSEN } from './cells.ts'
import { matrixSuite } from './matrix.suite.ts'
import { visitedWindows } from './windows.ts'

matrixSuite(visitedWindows(testChromium()), CHOSEN, 6)
