import { expect, test } from 'bun:test'
import { guardKeys, guardPointers } from './pointer-guard.ts'

type Listener = (event: object) => void

/** A window in which a test lets the time pass, and moves the focus as browsers do. */
function openWindow({ hasFocus = true } = {}) {
  const listeners = new Map<string, Listener[]>()
  const styles = new Map<string, string>()
  const timers = new Map<number, { at: number; everyMs: number | null; run(): void }>()
  let now = 1_000
  let inFront = hasFocus
  let active = 'body'
  let nextTimer = 1

  function addTimer(run: () => void, ms: number, everyMs: number | null): number {
    timers.set(nextTimer, { at: now + ms, everyMs, run })
    return nextTimer++
  }
  const addEventListener = (type: string, listener: Listener) =>
    listeners.set(type, [...(listeners.get(type) ?? []), listener])
  const fake = {
    document: {
      visibilityState: 'visible',
      documentElement: {
        style: {
          setProperty: (name: string, value: string) => styles.set(name, value),
          removeProperty: (name: string) => styles.delete(name),
        },
      },
      get activeElement() {
        return { localName: active }
      },
      hasFocus: () => inFront,
      addEventListener,
    },
    performance: { now: () => now },
    setTimeout: (run: () => void, ms = 0) => addTimer(run, ms, null),
    setInterval: (run: () => void, ms: number) => addTimer(run, ms, ms),
    clearTimeout: (id: number) => timers.delete(id),
    clearInterval: (id: number) => timers.delete(id),
    addEventListener,
  }
  guardPointers(fake as unknown as Window)
  guardKeys(fake as unknown as Window)

  /** @returns whether it did something in the document */
  function send(type: string, members: object = {}): boolean {
    let isStopped = false
    const event = {
      type,
      target: fake,
      timeStamp: now,
      isTrusted: true,
      stopImmediatePropagation: () => {
        isStopped = true
      },
      preventDefault: () => {},
      composedPath: () => [{ localName: 'button' }],
      ...members,
    }
    for (const listener of listeners.get(type) ?? []) listener(event)
    return !isStopped
  }
  const press = () => send('pointerdown')
  const release = () => send('click', { detail: 1 })
  return {
    send,
    press,
    release,
    /** A whole click. */
    click: () => press() && release(),
    isShown: () => styles.get('--press') !== 'none',
    pass(ms: number): void {
      for (const end = now + ms; ; ) {
        const [id, due] = [...timers].sort(([, a], [, b]) => a.at - b.at)[0] ?? []
        if (id === undefined || due === undefined || due.at > end) {
          now = end
          return
        }
        now = due.at
        if (due.everyMs === null) timers.delete(id)
        else due.at += due.everyMs
        due.run()
      }
    },
    /** Time in which the browser is too busy to run timers. */
    block(ms: number): void {
      now += ms
    },
    hide(): void {
      inFront = false
      fake.document.visibilityState = 'hidden'
      send('visibilitychange')
    },
    show(): void {
      inFront = true
      fake.document.visibilityState = 'visible'
      send('visibilitychange')
    },
    enterFrame(): void {
      send('blur')
      active = 'iframe'
    },
    leaveFrame(): void {
      active = 'body'
      send('focus')
    },
    /** Another window comes to the front, or goes. The frame has the focus: no event says so. */
    setInFront(isInFront: boolean): void {
      inFront = isInFront
    },
  }
}

/** What a person waits for before they press something. */
function settled() {
  const opened = openWindow()
  opened.pass(601)
  return opened
}

const ARRIVALS: [name: string, arrive: (opened: ReturnType<typeof settled>) => void][] = [
  ['shown with something that a page has opened', ({ send }) => send('handbill:appear')],
  ['loaded again from memory', ({ send }) => send('pageshow', { persisted: true })],
  ['uncovered by a page that had the whole screen', ({ send }) => send('fullscreenchange')],
  ['in front for the first time', ({ send }) => send('focus')],
  [
    'in front of another window again',
    ({ setInFront, send, pass }) => {
      setInFront(false)
      send('blur')
      pass(400)
      setInFront(true)
      send('focus')
    },
  ],
  [
    'in front again while its frame has the focus',
    ({ setInFront, enterFrame, pass }) => {
      enterFrame()
      pass(2_000)
      setInFront(false)
      pass(400)
      setInFront(true)
    },
  ],
  [
    'in front again while its frame keeps the browser busy',
    ({ enterFrame, pass, block }) => {
      enterFrame()
      pass(2_000)
      block(1_100)
    },
  ],
  [
    'on the shown tab',
    ({ hide, show, pass }) => {
      hide()
      pass(400)
      show()
    },
  ],
]

test('a click counts from 600 ms after the document has loaded', () => {
  const opened = openWindow()
  expect(opened.click()).toBe(false)
  opened.pass(599)
  expect([opened.click(), opened.isShown()]).toEqual([false, false])
  opened.pass(1)
  expect([opened.click(), opened.isShown()]).toEqual([true, true])
})

test('a click counts where the document ends to load only then, as a frame in it is slow', () => {
  const opened = settled()
  opened.press()
  opened.send('pageshow', { persisted: false })
  expect([opened.release(), opened.click(), opened.isShown()]).toEqual([true, true, true])
})

test.each(ARRIVALS)('a click counts from 600 ms after the window is %s', (_, arrive) => {
  const opened = settled()
  expect(opened.click()).toBe(true)
  arrive(opened)
  expect([opened.click(), opened.isShown()]).toEqual([false, false])
  opened.pass(599)
  expect(opened.click()).toBe(false)
  opened.pass(2)
  expect([opened.click(), opened.isShown()]).toEqual([true, true])
})

test('a press of that time does nothing, however late it is released', () => {
  const opened = openWindow()
  opened.pass(590)
  opened.press()
  opened.pass(500)
  expect(opened.release()).toBe(false)
  expect(opened.click()).toBe(true)
})

test('a press on another window does nothing in the one that appears before its release', () => {
  const opened = settled()
  opened.setInFront(false)
  opened.send('blur')
  opened.pass(400)
  opened.press()
  opened.setInFront(true)
  opened.send('focus')
  expect(opened.release()).toBe(false)
})

test('a press counts by its own time, where a busy script handles it later', () => {
  const opened = openWindow()
  opened.block(900)
  expect(opened.send('pointerdown', { timeStamp: 1_300 })).toBe(false)
  expect(opened.send('pointerdown', { timeStamp: 1_700 })).toBe(true)
})

test('a press that moves the focus out of the frame counts at once, as often as it does', () => {
  const opened = settled()
  for (let times = 0; times < 3; times++) {
    opened.enterFrame()
    opened.pass(5_000)
    expect(opened.press()).toBe(true)
    opened.leaveFrame()
    expect([opened.release(), opened.isShown()]).toEqual([true, true])
  }
})

test('a frame that gives the focus back and forth makes no click wait', () => {
  const opened = settled()
  for (let times = 0; times < 20; times++) {
    opened.enterFrame()
    opened.pass(30)
    opened.leaveFrame()
  }
  expect(opened.click()).toBe(true)
})

test('an element that gets the focus makes no click wait', () => {
  const opened = settled()
  opened.send('blur', { target: {} })
  opened.send('focus', { target: {} })
  expect(opened.click()).toBe(true)
})

test('in a window that never has the focus, clicks count as in any other', () => {
  const opened = openWindow({ hasFocus: false })
  opened.pass(601)
  expect(opened.click()).toBe(true)
})

test('a key that is pressed here counts at once, and a script’s click, too', () => {
  const opened = openWindow()
  const enter = { key: 'Enter', code: 'Enter' }
  expect(opened.send('keydown', enter)).toBe(true)
  expect(opened.send('keydown', { ...enter, repeat: true })).toBe(true)
  expect(opened.send('click', { detail: 0 })).toBe(true)
  expect(opened.send('click', { detail: 1, isTrusted: false })).toBe(true)
})

const TARGETS: [name: string, target: object, enter: boolean, space: boolean][] = [
  ['a button', { localName: 'button' }, false, false],
  ['a checkbox', { localName: 'input', type: 'checkbox' }, false, false],
  ['a field of one line', { localName: 'input', type: 'email' }, false, true],
  ['a field of many lines', { localName: 'textarea' }, true, true],
  ['an editor', { localName: 'div', isContentEditable: true }, true, true],
]
test.each(TARGETS)(
  'a key that another window saw pressed does no more in %s than write',
  (...row) => {
    const [, target, enter, space] = row
    const opened = settled()
    opened.send('keydown', { key: 'Enter', code: 'Enter' })
    opened.send('blur')
    opened.pass(3_000)
    opened.send('focus')
    const held = { repeat: true, composedPath: () => [target] }
    expect(opened.send('keydown', { ...held, key: 'Enter', code: 'Enter' })).toBe(enter)
    expect(opened.send('keydown', { ...held, key: ' ', code: 'Space' })).toBe(space)
    expect(opened.send('keydown', { ...held, key: 'a', code: 'KeyA' })).toBe(true)
  },
)

test('a key by which an input method composes a word is its own, but in an editor', () => {
  const opened = settled()
  const enter = { key: 'Enter', code: 'Enter' }
  for (const composed of [{ isComposing: true }, { keyCode: 229 }]) {
    for (const [, target] of TARGETS) {
      const isEditor = 'isContentEditable' in target
      const event = { ...enter, ...composed, composedPath: () => [target] }
      expect(opened.send('keydown', event)).toBe(isEditor)
    }
  }
})
