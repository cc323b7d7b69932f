import { type Answer, MAX_SRC_CHARS, type Report } from './protocol.ts'
import { placeOf, type Spot, spotAt, stepFrom } from './spots.ts'
import { openField } from './text-field.ts'

const MAX_STRAY_CHARS = 200
/** What a page hears of a pointer: none of it while its text is edited. */
const POINTER =
  'pointerdown pointerup mousedown mouseup touchstart touchend dblclick auxclick contextmenu'.split(
    ' ',
  )
const PICTURES = 'canvas, video, audio, iframe, object, embed, svg'

/** Edits text and images where they are shown. What was typed is told to the editor. */
export function startEditing(port: MessagePort): void {
  const tell = (report: Report) => port.postMessage(report)
  const over = outline()
  let asked: Spot | null = null
  let field: ReturnType<typeof openField> | null = null

  function ask(spot: Spot | null): void {
    if (spot === null) return
    asked = spot
    tell({ ask: { place: spot.place!, text: spot.text } })
  }
  function open(spot: Spot): void {
    const place = spot.place!
    tell({ isOpen: true })
    field = openField(spot, {
      onPause: (change) => tell({ change: { place, ...change } }),
      onClose(change) {
        field = null
        tell({ ...(change && { change: { place, ...change } }), isOpen: false })
      },
      onStep(by) {
        const next = stepFrom(spot, by)
        field?.commit()
        ask(next)
      },
    })
  }
  port.onmessage = ({ data }: MessageEvent<Answer>) => {
    if (data.open === true && asked !== null) open(asked)
    if (data.open !== undefined) asked = null
  }

  function press(event: MouseEvent): void {
    const target = targetOf(event)
    if (field?.contains(target)) return
    field?.commit()
    const image = target.closest?.('img')
    const spot = image ? null : spotAt(event)
    if (image) tellImage(image, null)
    else if (spot?.place) ask(spot)
    else if (spot)
      tell({ stray: { what: 'text', text: spot.text.trim().slice(0, MAX_STRAY_CHARS) } })
    else if (target.closest?.(`${PICTURES}, input, textarea, select`)) tellStray('other')
    else if (hasBackground(target)) tellStray('background')
  }
  function tellImage(image: HTMLImageElement, file: File | null): void {
    const place = placeOf(image)
    const src = (image.getAttribute('src') ?? '').slice(0, MAX_SRC_CHARS)
    if (place) tell({ image: { place, src, file } })
    else tellStray('image')
  }
  const tellStray = (what: NonNullable<Report['stray']>['what']) =>
    tell({ stray: { what, text: '' } })
  function drop(event: DragEvent): void {
    const image = targetOf(event).closest?.('img')
    const file = event.dataTransfer?.files[0]
    over.show(null)
    if (image && file) tellImage(image, file)
    else if (file) tellStray('drop')
  }
  function key(event: KeyboardEvent): void {
    const isCommand = event.ctrlKey || event.metaKey
    const name = event.key.toLowerCase()
    if (field === null && event.key === 'Enter' && document.activeElement === document.body) {
      ask(stepFrom(null, 1))
    } else if (isCommand && name === 's') {
      field?.commit()
      tell({ key: 'save' })
    } else if (isCommand && (name === 'z' || name === 'y') && !field?.isChanged()) {
      field?.cancel()
      tell({ key: name === 'y' || event.shiftKey ? 'redo' : 'undo' })
    } else {
      // Keys that are typed into the field are not those of the page.
      if (field !== null) event.stopImmediatePropagation()
      field?.key(event)
      return
    }
    event.preventDefault()
    event.stopImmediatePropagation()
  }

  function on<Name extends keyof WindowEventMap>(name: Name, run: (event: never) => void): void {
    const listener = (event: Event) => event.isTrusted && run(event as never)
    addEventListener(name, listener, { capture: true, passive: false })
  }
  for (const name of POINTER) {
    on(name as 'mousedown', (event: Event) => event.stopImmediatePropagation())
  }
  for (const name of ['click', 'submit', 'drop'] as const) {
    on(name, (event: Event) => {
      event.preventDefault()
      event.stopImmediatePropagation()
      if (name === 'click') press(event as MouseEvent)
      if (name === 'drop') drop(event as DragEvent)
    })
  }
  on('dragover', (event: DragEvent) => {
    event.preventDefault()
    over.show(targetOf(event).closest?.('img') ?? null)
  })
  on('dragleave', () => over.show(null))
  on('keydown', key)
  // The first of them is early enough where another document is opened: the editor still hears it.
  for (const name of ['beforeunload', 'visibilitychange', 'pagehide'] as const) {
    on(name as 'pagehide', () => field?.tell())
  }
  for (const name of ['keyup', 'keypress'] as const) {
    on(name, (event: Event) => field !== null && event.stopImmediatePropagation())
  }
}

const targetOf = (event: Event) => event.composedPath()[0] as Element

/** Outlines the image that is dragged over. */
function outline() {
  let shown: HTMLImageElement | null = null
  return {
    show(image: HTMLImageElement | null): void {
      if (image === shown) return
      shown?.style.removeProperty('outline')
      image?.style.setProperty('outline', '3px solid #1f5fbf', 'important')
      shown = image
    },
  }
}

/** Whether a style sheet puts an image there. */
function hasBackground(target: Element): boolean {
  for (let at: Element | null = target; at !== null; at = at.parentElement) {
    if (getComputedStyle(at).backgroundImage.includes('url(')) return true
  }
  return false
}
