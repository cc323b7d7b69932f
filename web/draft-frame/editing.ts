import { type Answer, MAX_SRC_CHARS, type Report } from './protocol.ts'
import { placeOf, type Spot, spotAt, stepFrom } from './spots.ts'
import { openField } from './text-field.ts'

const MAX_STRAY_CHARS = 200
/** What a page hears of a pointer: none of it while its text is edited. */
const POINTER =
  'pointerdown pointerup mousedown mouseup touchstart touchend dblclick auxclick contextmenu'
const PICTURES = 'canvas, video, audio, iframe, object, embed, svg'

/** Edits text and images where they are shown. What was typed is told to the editor. */
export function startEditing(port: MessagePort): void {
  const tell = (report: Report) => port.postMessage(report)
  let candidate: Spot | null = null
  let field: ReturnType<typeof openField> | null = null

  function ask(spot: Spot | null): void {
    if (spot === null) return
    candidate = spot
    tell({ ask: { place: spot.place!, text: spot.text } })
  }
  function open(spot: Spot): void {
    const place = spot.place!
    tell({ isOpen: true })
    field = openField(spot, {
      onType: (change) => tell({ change: { place, ...change } }),
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
    if (data.open === true && candidate !== null) open(candidate)
    if (data.open !== undefined) candidate = null
  }

  function press(event: MouseEvent): void {
    const target = targetOf(event)
    if (field?.contains(target)) return
    field?.commit()
    const image = target.closest?.('img')
    const spot = image ? null : spotAt(event)
    if (spot?.place) ask(spot)
    else if (spot) tell(stray('text', spot.text.trim().slice(0, MAX_STRAY_CHARS)))
    else if (image) tell(reportOfImage(image, null))
    else if (target.closest?.(`${PICTURES}, input, textarea, select`)) tell(stray('other'))
    else if (hasBackground(target)) tell(stray('background'))
  }
  function drop(event: DragEvent): void {
    const image = targetOf(event).closest?.('img')
    const file = event.dataTransfer?.files[0]
    outline(null)
    if (file) tell(image ? reportOfImage(image, file) : stray('drop'))
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
    take(event)
  }

  listen(POINTER, (event) => event.stopImmediatePropagation())
  listen('submit', take)
  listen('click', (event: MouseEvent) => {
    take(event)
    press(event)
  })
  listen('drop', (event: DragEvent) => {
    take(event)
    drop(event)
  })
  listen('dragover', (event: DragEvent) => {
    event.preventDefault()
    outline(targetOf(event).closest?.('img') ?? null)
  })
  listen('dragleave', () => outline(null))
  listen('keydown', key)
  listen('keyup keypress', (event) => field !== null && event.stopImmediatePropagation())
}

/** Hears events before the page does, where a person causes them. @param names by spaces */
function listen<E extends Event>(names: string, run: (event: E) => void): void {
  const listener = (event: Event) => event.isTrusted && run(event as E)
  for (const name of names.split(' ')) {
    addEventListener(name, listener, { capture: true, passive: false })
  }
}

/** Neither the page nor the browser does anything with it. */
function take(event: Event): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}

const targetOf = (event: Event) => event.composedPath()[0] as Element

function stray(what: NonNullable<Report['stray']>['what'], text = ''): Report {
  return { stray: { what, text } }
}

function reportOfImage(image: HTMLImageElement, file: File | null): Report {
  const place = placeOf(image)
  const src = (image.getAttribute('src') ?? '').slice(0, MAX_SRC_CHARS)
  return place ? { image: { place, src, file } } : stray('image')
}

let outlined: HTMLImageElement | null = null

/** Outlines the image that is dragged over. */
function outline(image: HTMLImageElement | null): void {
  if (image === outlined) return
  outlined?.style.removeProperty('outline')
  image?.style.setProperty('outline', '3px solid #1f5fbf', 'important')
  outlined = image
}

/** Whether a style sheet puts an image there. */
function hasBackground(target: Element): boolean {
  for (let at: Element | null = target; at !== null; at = at.parentElement) {
    if (getComputedStyle(at).backgroundImage.includes('url(')) return true
  }
  return false
}
