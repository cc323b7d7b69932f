import type { Side } from './layout.ts'

/** How far the buttons must be dragged towards their edge to be hidden. */
const MIN_DRAG_PX = 16
const KEY = 'handbill:panel-tucked'

/**
 * Lets the buttons be dragged aside, where they cover next to nothing of the page. A narrow strip
 * of them stays and brings them back. This window remembers it for every page.
 */
export function makeTuckable(launcher: HTMLElement, sideOf: () => Side): void {
  let startX: number | null = null
  let wasTucked = false

  function tuck(isTucked: boolean): void {
    launcher.toggleAttribute('data-tucked', isTucked)
    try {
      if (isTucked) sessionStorage.setItem(KEY, '1')
      else sessionStorage.removeItem(KEY)
    } catch {
      // Without storage they are back after a reload.
    }
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
  try {
    launcher.toggleAttribute('data-tucked', sessionStorage.getItem(KEY) !== null)
  } catch {}
}
