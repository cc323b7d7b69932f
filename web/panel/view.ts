import { fill, h, icon, uniqueId } from '../elements.ts'
import { stored } from '../stored.ts'
import { loadWebFonts } from '../web-fonts.ts'
import type { Tab } from './tab.ts'

/** Where the panel is: beside a wide page, over the lower part of a narrow one. */
const WIDE = '(min-width: 820px)'
const storedSide = stored('localStorage', 'handbill:panel-side')

/** How far the buttons must be dragged towards their edge to be hidden. */
const MIN_DRAG_PX = 16
const tuckedMark = stored('sessionStorage', 'handbill:panel-tucked')

const NAME = 'Conversations'
const CLOSE_ICON = 'm4 4 8 8m0-8-8 8'
const LEFT_ICON = 'M6.5 3 2 8l4.5 5M2.5 8H14'
const RIGHT_ICON = 'M9.5 3 14 8l-4.5 5M13.5 8H2'
const ANNOUNCE_MS = 100

interface ViewTab {
  tab: Tab
  count: number | null
  mount(container: HTMLElement): void
}

export interface ViewOptions {
  host: HTMLElement
  root: ShadowRoot
  fontsUrl: string
  /** The storage key under which this window remembers the open tab. */
  stateKey: string
  tabs: readonly ViewTab[]
  /** Another tab was opened, or the panel was closed. */
  onShow(open: Tab | null, closed: Tab | null): void
}

/** The buttons at the edge, and the panel with its tabs. */
export function createView({ host, root, fontsUrl, stateKey, tabs, onShow }: ViewOptions) {
  const layout = createLayout(host)
  const openTab = stored('sessionStorage', stateKey)
  const panelId = uniqueId()
  const parts = tabs.map(({ tab, count, mount }) => createParts(tab, { count, mount, panelId }))
  const isOnly = parts.length === 1
  const status = h('p', { class: 'visually-hidden', role: 'status' })
  let openPart: TabParts | null = null

  for (const part of parts) {
    part.opener.addEventListener('click', () => show(part, true))
    part.handle.addEventListener('click', () => show(part, false))
    // It has no accessible name: a field in it may be called `Comment`, and nothing else should be.
    if (!isOnly) part.page.setAttribute('role', 'tabpanel')
  }
  const mover = h('button', { type: 'button', class: 'tool', onclick: move })
  const header = h(
    'header',
    {},
    isOnly
      ? h('h2', { tabindex: -1 }, parts[0]!.tab.label)
      : h(
          'div',
          { role: 'tablist', onkeydown: moveAmongTabs },
          ...parts.map((each) => each.handle),
        ),
    mover,
    h(
      'button',
      { type: 'button', class: 'tool', 'aria-label': 'Close', title: 'Close', onclick: close },
      icon(CLOSE_ICON),
    ),
  )
  const panel = h(
    'section',
    { id: panelId, class: 'panel', 'aria-label': NAME, hidden: true, onkeydown: closeOnEscape },
    header,
    ...parts.map((each) => each.page),
  )
  const openers = parts.map((each) => each.opener)
  const launcher = h('div', { class: 'launcher', role: 'group', 'aria-label': NAME })
  launcher.append(...openers)
  makeTuckable(launcher, () => layout.side)
  root.append(launcher, panel, status)
  showMover()

  function show(part: TabParts, takesFocus: boolean): void {
    const closed = openPart
    if (closed === part) return
    openPart = part
    loadWebFonts(fontsUrl)
    for (const each of parts) {
      const isOpen = each === part
      each.page.hidden = !isOpen
      each.handle.setAttribute('aria-selected', String(isOpen))
      each.handle.tabIndex = isOpen ? 0 : -1
    }
    panel.hidden = false
    launcher.hidden = true
    if (closed === null) layout.setOpen(true)
    part.mountOnce()
    if (takesFocus) (header.querySelector('h2') ?? part.handle).focus({ preventScroll: true })
    openTab.write(part.tab.id)
    onShow(part.tab, closed?.tab ?? null)
  }

  function close(): void {
    const closed = openPart
    if (closed === null) return
    openPart = null
    panel.hidden = true
    launcher.hidden = false
    layout.setOpen(false)
    closed.opener.focus({ preventScroll: true })
    openTab.write(null)
    onShow(null, closed.tab)
  }

  function closeOnEscape(event: KeyboardEvent): void {
    if (event.key === 'Escape' && !event.defaultPrevented && !event.isComposing) close()
  }

  function moveAmongTabs(event: KeyboardEvent): void {
    const at = parts.indexOf(openPart!)
    const isRtl = getComputedStyle(panel).direction === 'rtl'
    const steps: Record<string, number> = {
      ArrowRight: isRtl ? at - 1 : at + 1,
      ArrowLeft: isRtl ? at + 1 : at - 1,
      Home: 0,
      End: parts.length - 1,
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    const part = parts[(next + parts.length) % parts.length]!
    show(part, false)
    part.handle.focus()
  }

  function move(): void {
    layout.moveToOtherSide()
    showMover()
    announce(`The panel is on the ${layout.side}`)
  }

  function showMover(): void {
    const isRight = layout.side === 'right'
    const label = `Move to the ${isRight ? 'left' : 'right'}`
    mover.ariaLabel = label
    mover.title = label
    fill(mover, icon(isRight ? LEFT_ICON : RIGHT_ICON))
  }

  function announce(text: string): void {
    fill(status)
    // A text that replaces the same text is announced only if it was gone for a moment.
    setTimeout(() => fill(status, text), ANNOUNCE_MS)
  }

  function partOf(tab: Tab): TabParts {
    return parts.find((each) => each.tab === tab)!
  }

  return {
    announce,
    openTab: () => openPart?.tab ?? null,
    open: (tab: Tab) => show(partOf(tab), true),
    setCount: (tab: Tab, count: number | null) => partOf(tab).setCount(count),
    /** Opens the tab that the address names, or else the one that was open before a reload. */
    restore(named: string): void {
      const id = named || openTab.read()
      const part = parts.find(({ tab }) => tab.id === id)
      if (part !== undefined) show(part, false)
    },
  }
}

/** What belongs to one tab: the button at the edge, the tab in the header, and the content. */
interface TabParts {
  tab: Tab
  opener: HTMLButtonElement
  handle: HTMLButtonElement
  page: HTMLElement
  setCount(count: number | null): void
  /** Mounts the tab, the first time. */
  mountOnce(): void
}

function createParts(
  tab: Tab,
  { count, mount, panelId }: Omit<ViewTab, 'tab'> & { panelId: string },
): TabParts {
  const page = h('div', { id: uniqueId(), class: 'page', hidden: true })
  const counters = [h('span', { class: 'count' }), h('span', { class: 'count' })] as const
  const opener = h(
    'button',
    { type: 'button', 'aria-expanded': 'false', 'aria-controls': panelId },
    icon(tab.icon),
    h('span', { class: 'label' }, tab.label),
    counters[0],
  )
  const handle = h(
    'button',
    { type: 'button', role: 'tab', 'aria-controls': page.id },
    tab.label,
    counters[1],
  )
  let isMounted = false

  function setCount(next: number | null): void {
    for (const counter of counters) {
      counter.hidden = !next
      fill(counter, next ? ` ${next}` : null)
    }
  }
  setCount(count)
  return {
    tab,
    opener,
    handle,
    page,
    setCount,
    mountOnce() {
      if (isMounted) return
      isMounted = true
      mount(page)
    },
  }
}

/**
 * Lets the buttons be dragged aside, where they cover next to nothing of the page. A narrow strip
 * of them stays and brings them back. This window remembers it for every page.
 */
function makeTuckable(launcher: HTMLElement, sideOf: () => Side): void {
  let startX: number | null = null
  let wasTucked = false

  function tuck(isTucked: boolean): void {
    launcher.toggleAttribute('data-tucked', isTucked)
    tuckedMark.write(isTucked ? '1' : null)
  }

  launcher.addEventListener('pointerdown', ({ clientX }) => {
    startX = clientX
    wasTucked = launcher.hasAttribute('data-tucked')
  })
  launcher.addEventListener('pointermove', ({ clientX, buttons }) => {
    if (startX === null || buttons === 0) return
    const outwards = (clientX - startX) * (sideOf() === 'right' ? 1 : -1)
    if (outwards >= MIN_DRAG_PX) tuck(true)
  })
  launcher.addEventListener('pointercancel', () => {
    startX = null
  })
  launcher.addEventListener(
    'click',
    (event) => {
      // The end of a drag is no click on a button. A tap on the strip brings the buttons back.
      const isDrag = startX !== null && Math.abs(event.clientX - startX) >= MIN_DRAG_PX
      startX = null
      if (event.detail > 0 && (isDrag || wasTucked)) event.stopPropagation()
      if (!isDrag) tuck(false)
    },
    true,
  )
  launcher.toggleAttribute('data-tucked', tuckedMark.read() !== null)
}

type Side = 'left' | 'right'

interface Layout {
  readonly side: Side
  /** Moves the button and the panel to the other edge. This browser remembers it for every page. */
  moveToOtherSide(): void
  /** Makes space for the panel, or takes it back. */
  setOpen(isOpen: boolean): void
}

/** @param host is moved out of the body, which becomes narrower while the panel is beside it */
function createLayout(host: HTMLElement): Layout {
  const root = document.documentElement
  let side = readSide()
  root.append(host)
  showSide()

  function showSide(): void {
    root.dataset.panelSide = side
    host.dataset.side = side
  }

  /** The viewer of PDFs and images fits its content again, and pins follow the page. */
  function resized(): void {
    if (matchMedia(WIDE).matches) window.dispatchEvent(new Event('resize'))
  }

  keepAboveKeyboard(host)
  return {
    get side() {
      return side
    },
    moveToOtherSide() {
      side = side === 'right' ? 'left' : 'right'
      showSide()
      storedSide.write(side)
      resized()
    },
    setOpen(isOpen) {
      root.toggleAttribute('data-panel-open', isOpen)
      host.toggleAttribute('data-open', isOpen)
      resized()
    },
  }
}

/** The keyboard of a phone covers part of the page; the visual viewport is the rest. */
function keepAboveKeyboard(host: HTMLElement): void {
  const viewport = window.visualViewport
  // The browser moves the rest, too, to show the field.
  for (const type of ['resize', 'scroll']) {
    viewport?.addEventListener(type, () => {
      const covered = Math.max(0, window.innerHeight - viewport.height - viewport.offsetTop)
      host.style.setProperty('--keyboard', `${Math.round(covered)}px`)
      host.style.setProperty('--visible-height', `${Math.round(viewport.height)}px`)
    })
  }
}

function readSide(): Side {
  return storedSide.read() === 'left' ? 'left' : 'right'
}
