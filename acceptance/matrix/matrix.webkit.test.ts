/** The other half of the matrix in WebKit. */
import { duringTests } from '../test-browser.ts'
import { launchWebKit } from '../webkit.ts'
import { half } from './cells.ts'
import { matrixSuite } from './matrix.suite.ts'
import { webKitWindows } from './windows.ts'

const webkit = duringTests(launchWebKit, (started) => started.close())
matrixSuite(webKitWindows(webkit), half(1), 1)
