/** Rate limits of tries, on a server whose clock is set. */
import { call } from '../ask.ts'
import { newBrowser } from '../browser.ts'
import { newClock } from '../clock.ts'
import { newExpectations } from '../expectations.ts'
import type { Row, Tools } from '../fault.ts'
import { startNode } from '../node.ts'

/** Passwords that one address may try in a minute. */
const ALLOWED = 10
const WINDOW_S = 60
const HOUR = 60 * 60

/**
 * Clock set back: nobody waits longer than a minute. Set forward: the tries of one more minute are
 * allowed, and none once it is set right.
 */
export async function checkThrottles({ folder }: Tools): Promise<Row> {
  const data = folder()
  const clock = newClock(data)
  const settings = { ...clock.settings, RATE_LIMITS: 'on' }
  let node = await startNode(data, settings)
  const { expect, row } = newExpectations('clock stepped', 'tries of passwords')
  try {
    const gated = { html: '<p>Gated', access: 'password', password: 'correct horse battery' }
    const { slug } = await call<{ slug: string }>(node, 'POST /pages', { body: gated })
    async function tryPassword() {
      const browser = newBrowser()
      const gate = await browser.open(`${node.url}/p/${slug}`)
      return browser.submit(node.url, gate, { password: 'wrong' })
    }
    async function expectRefused(when: string): Promise<void> {
      const { status, headers } = await tryPassword()
      const waitS = Number(headers.get('retry-after'))
      expect(`a password ${when} was answered ${status}, wait ${waitS} s`, isRefused())
      function isRefused(): boolean {
        return status === 429 && waitS > 0 && waitS <= WINDOW_S
      }
    }
    async function expectAllowed(when: string): Promise<void> {
      for (let nth = 1; nth <= ALLOWED; nth++) {
        const { status } = await tryPassword()
        expect(`password ${nth} ${when} was answered ${status}`, status === 403)
      }
      await expectRefused(`beyond those ${when}`)
    }
    await expectAllowed('at first')
    clock.set(-10 * HOUR)
    await expectRefused('after the clock was set back')
    await node.kill()
    node = await startNode(data, { ...settings, PORT: node.port }, node.key)
    await expectRefused('after that and another start')
    clock.set(-10 * HOUR + 2 * WINDOW_S)
    await expectAllowed('a minute after the clock was set back')
    clock.set(10 * HOUR)
    await expectAllowed('after the clock was set forward')
    clock.set(0)
    await expectRefused('after the clock was set right')
  } finally {
    await node.kill()
  }
  return row()
}
