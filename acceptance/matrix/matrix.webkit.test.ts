/** The other half of the matrix in WebKit. */
import { half } from './cells.ts'
import { matrixSuite } from './matrix.suite.ts'
import { webKit } from './windows.ts'

/**
 * Left to Chromium and Firefox: an address of a page's own host that is opened by itself says here that
 * it needs a cookie, in the trash too. Cards in WebKit have their own test.
 */
const ELSEWHERE = ['trash', 'cards']

matrixSuite(
  webKit,
  half(1).filter(({ extra }) => !ELSEWHERE.includes(extra.name)),
  1,
)
