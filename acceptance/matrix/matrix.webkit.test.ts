/** What every browser does alike, in WebKit. */
import { duringTests } from '../test-browser.ts'
import { launchWebKit } from '../webkit.ts'
import { IN_EACH_BROWSER } from './cells.ts'
import { matrixSuite } from './matrix.suite.ts'
import { webKitWindows } from './windows.ts'

const webkit = duringTests(launchWebKit, (started) => started.close())
matrixSuite(webKitWindows(webkit), IN_EACH_BROWSER, 1)
