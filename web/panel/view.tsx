import { render } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { stored } from '../stored.ts'
import { loadWebFonts } from '../web-fonts.ts'
import { Icon } from './components.tsx'
import type { Tab } from './tab.ts'

/** Where the panel is: beside a wide page, over the lower part of a narrow one. */
const WIDE = '(min-width: 51.25rem)'
/** This browser remembers it for every page. */
const storedSide = stored('localStorage', 'handbill:panel-side')

/** How far the buttons must be dragged towards their edge to be hidden. */
const DRAG_PX = 16
/** This window remembers it for every page. */
const tuckedMark = stored('sessionStorage', 'handbill:panel-tucked')

const NAME = 'Conversations'
const PANEL_ID = 'panel'
const pageIdOf = ({ id }: Tab) => `page-${id}`
const CLOSE_ICON = 'm4 4 8 8m0-8-8 8'
const LEFT_ICON = 'M6.5 3 2 8l4.5 5M2.5 8H14'
const RIGHT_ICON = 'M9.5 3 14 8l-4.5 5M13.5 8H2'
const ANNOUNCE_MS = 100

interface ViewOptions {
  host: HTMLElement
  root: ShadowRoot
  fontsUrl: string
  /** The storage key under which this window remembers the open tab. */
  stateKey: string
  tabs: readonly Tab[]
  /** Numbers beside the buttons. */
  counts: Map<Tab, number | null | undefined>
  /** Fills the container of a tab that is opened for the first time. */
  mount(tab: Tab, container: HTMLElement): void
  /** Another tab was opened, or the panel was closed. */
  onShow(): void
}

/** The buttons at the edge, and the panel with its tabs. */
export function createView(options: ViewOptions) {
  const { host, root, fontsUrl, stateKey, tabs, counts, mount, onShow } = options
  const storedTab = stored('sessionStorage', stateKey)
  const container = document.createElement('div')
  const mounted = new Set<Tab>()
  let side: Side = storedSide.read() === 'left' ? 'left' : 'right'
  let openTab: Tab | null = null
  let status = ''
  // Out of the body, which becomes narrower while the panel is beside it.
  document.documentElement.append(host)
  root.append(container)
  showSide(host, side)
  keepAboveKeyboard(host)
  show()

  function show(): void {
    const state = { tabs, counts, side, openTab, status }
    const actions = { open, openBeside, close, move }
    render(<View {...state} {...actions} />, container)
  }

  function open(tab: Tab, takesFocus: boolean): void {
    const closed = openTab
    if (closed === tab) return
    openTab = tab
    loadWebFonts(fontsUrl)
    show()
    if (closed === null) makeSpace(true)
    if (!mounted.has(tab)) mount(tab, root.getElementById(pageIdOf(tab))!)
    mounted.add(tab)
    if (takesFocus) focus('header h2, [role=tab][aria-selected=true]')
    storedTab.write(tab.id)
    onShow()
  }

  function focus(selector: string): void {
    root.querySelector<HTMLElement>(selector)!.focus({ preventScroll: true })
  }

  function openBeside(event: KeyboardEvent): void {
    const at = tabs.indexOf(openTab!)
    const isRtl = getComputedStyle(container).direction === 'rtl'
    const steps: Record<string, number> = {
      ArrowRight: isRtl ? at - 1 : at + 1,
      ArrowLeft: isRtl ? at + 1 : at - 1,
      Home: 0,
      End: tabs.length - 1,
    }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    open(tabs[(next + tabs.length) % tabs.length]!, true)
  }

  function close(): void {
    const closed = openTab
    if (closed === null) return
    openTab = null
    show()
    makeSpace(false)
    focus(`.launcher > :nth-child(${tabs.indexOf(closed) + 1})`)
    storedTab.write(null)
    onShow()
  }

  function move(): void {
    side = side === 'right' ? 'left' : 'right'
    storedSide.write(side)
    showSide(host, side)
    fitAgain()
    announce(`The panel is on the ${side}`)
  }

  function announce(text: string): void {
    say('')
    // A text that replaces the same text is announced only if it was gone for a moment.
    setTimeout(say, ANNOUNCE_MS, text)
  }

  function say(text: string): void {
    status = text
    show()
  }

  return {
    announce,
    openTab: () => openTab,
    open: (tab: Tab) => open(tab, true),
    setCount(tab: Tab, count: number | null): void {
      counts.set(tab, count)
      show()
    },
    /** Opens the tab that the address names, or else the one that was open before a reload. */
    restore(id = storedTab.read()): void {
      const tab = tabs.find((each) => each.id === id)
      if (tab !== undefined) open(tab, false)
    },
  }
}

interface ViewProps extends Pick<ViewOptions, 'tabs' | 'counts'> {
  side: Side
  openTab: Tab | null
  /** What screen readers say. */
  status: string
  open(tab: Tab, takesFocus: boolean): void
  /** Opens another tab by a key. */
  openBeside(event: KeyboardEvent): void
  close(): void
  /** To the other side. */
  move(): void
}

function View(props: ViewProps) {
  const { tabs, side, openTab, status, close, move } = props
  const isOnly = tabs.length === 1
  const label = `Move to the ${side === 'right' ? 'left' : 'right'}`
  return (
    <>
      <Launcher {...props} />
      <section
        id={PANEL_ID}
        className="panel"
        aria-label={NAME}
        hidden={openTab === null}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && !event.defaultPrevented) close()
        }}
      >
        <header>
          {isOnly ? <h2 tabIndex={-1}>{tabs[0]!.label}</h2> : <Handles {...props} />}
          <button type="button" className="tool" aria-label={label} title={label} onClick={move}>
            <Icon path={side === 'right' ? LEFT_ICON : RIGHT_ICON} />
          </button>
          <button type="button" className="tool" aria-label="Close" title="Close" onClick={close}>
            <Icon path={CLOSE_ICON} />
          </button>
        </header>
        {tabs.map((tab) => (
          // It has no accessible name: a field in it may be called `Comment`, and nothing else
          // should be.
          <div
            key={tab.id}
            id={pageIdOf(tab)}
            role={isOnly ? undefined : 'tabpanel'}
            className="page"
            hidden={tab !== openTab}
          />
        ))}
      </section>
      <p className="visually-hidden" role="status">
        {status}
      </p>
    </>
  )
}

function Handles({ tabs, counts, openTab, open, openBeside }: ViewProps) {
  return (
    <div role="tablist" onKeyDown={openBeside}>
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          role="tab"
          aria-controls={pageIdOf(tab)}
          aria-selected={tab === openTab}
          tabIndex={tab === openTab ? 0 : -1}
          onClick={() => open(tab, false)}
        >
          {tab.label}
          <Count of={counts.get(tab)} />
        </button>
      ))}
    </div>
  )
}

function Count({ of: count }: { of: number | null | undefined }) {
  return (
    <span className="count" hidden={!count}>
      {count ? ` ${count}` : null}
    </span>
  )
}

/**
 * The buttons at the edge. They can be dragged aside, where they cover next to nothing of the page:
 * a narrow strip of them stays and brings them back.
 */
function Launcher({ tabs, counts, side, openTab, open }: ViewProps) {
  const [isTucked, setTucked] = useState(() => tuckedMark.read() !== null)
  const press = useRef<{ x: number; wasTucked: boolean } | null>(null)

  function tuck(next: boolean): void {
    setTucked(next)
    tuckedMark.write(next ? '1' : null)
  }

  function drag({ clientX, buttons }: PointerEvent): void {
    if (press.current === null || buttons === 0) return
    const outwards = (clientX - press.current.x) * (side === 'right' ? 1 : -1)
    if (outwards >= DRAG_PX) tuck(true)
  }

  /** The end of a drag is no click on a button. A tap on the strip brings the buttons back. */
  function release(event: MouseEvent): void {
    const isDrag = press.current !== null && Math.abs(event.clientX - press.current.x) >= DRAG_PX
    if (event.detail > 0 && (isDrag || press.current?.wasTucked)) event.stopPropagation()
    press.current = null
    if (!isDrag) tuck(false)
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: these are no fields of a form
    <div
      className="launcher"
      role="group"
      aria-label={NAME}
      hidden={openTab !== null}
      data-tucked={isTucked ? '' : undefined}
      onPointerDown={({ clientX }) => {
        press.current = { x: clientX, wasTucked: isTucked }
      }}
      onPointerMove={drag}
      onPointerCancel={() => {
        press.current = null
      }}
      onClickCapture={release}
    >
      {tabs.map((tab) => (
        <button
          key={tab.id}
          type="button"
          aria-expanded="false"
          aria-controls={PANEL_ID}
          onClick={() => open(tab, true)}
        >
          <Icon path={tab.icon} />
          <span className="label">{tab.label}</span>
          <Count of={counts.get(tab)} />
        </button>
      ))}
    </div>
  )
}

type Side = 'left' | 'right'

function showSide(host: HTMLElement, side: Side): void {
  document.documentElement.dataset.panelSide = side
  host.dataset.side = side
}

/** Makes space for the panel, or takes it back. */
function makeSpace(isOpen: boolean): void {
  document.documentElement.toggleAttribute('data-panel-open', isOpen)
  fitAgain()
}

/** The viewer of PDFs and images fits its content again, and pins follow the page. */
function fitAgain(): void {
  if (matchMedia(WIDE).matches) window.dispatchEvent(new Event('resize'))
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
