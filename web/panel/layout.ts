/** Where the panel is: beside a wide page, over the lower part of a narrow one. */
const WIDE = '(min-width: 820px)'
const SIDE_KEY = 'handbill:panel-side'

export type Side = 'left' | 'right'

export interface Layout {
  readonly side: Side
  /** Moves the button and the panel to the other edge. This browser remembers it for every page. */
  moveToOtherSide(): void
  /** Makes space for the panel, or takes it back. */
  setOpen(isOpen: boolean): void
}

/** @param host is moved out of the body, which becomes narrower while the panel is beside it */
export function createLayout(host: HTMLElement): Layout {
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
      saveSide(side)
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
  viewport?.addEventListener('resize', () => {
    const covered = Math.max(0, window.innerHeight - viewport.height - viewport.offsetTop)
    host.style.setProperty('--keyboard', `${Math.round(covered)}px`)
    host.style.setProperty('--visible-height', `${Math.round(viewport.height)}px`)
  })
}

function readSide(): Side {
  try {
    return localStorage.getItem(SIDE_KEY) === 'left' ? 'left' : 'right'
  } catch {
    return 'right'
  }
}

function saveSide(side: Side): void {
  try {
    localStorage.setItem(SIDE_KEY, side)
  } catch {
    // Without storage the panel is on the right again after a reload.
  }
}
