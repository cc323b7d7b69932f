import type { Answer, Report } from './protocol.ts'
import { elementsAt, placeOf, type Spot, spotAt, stepFrom } from './spots.ts'
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
  let asked: Spot | null = null
  let field: ReturnType<typeof openField> | null = null

  function ask(spot: Spot | null): void {
    if (spot === null) return
    asked = spot
    tell({ ask: { place: spot.place!, text: spot.text } })
  }
  function open(spot: Spot): void {
    tell({ isOpen: true })
    field = openField(spot, {
      onClose(change) {
        field = null
        if (change !== null) tell({ change: { place: spot.place!, ...change } })
        tell({ isOpen: false })
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
    if (data.show) showImage(data.show)
  }

  function press(event: MouseEvent): void {
    const target = event.composedPath()[0] as Element
    if (field?.contains(target)) return
    field?.commit()
    const image = target.closest?.('img')
    const place = image ? placeOf(image) : null
    const spot = image ? null : spotAt(event)
    if (place) tell({ image: { place, file: null } })
    else if (spot?.place) ask(spot)
    else if (image || spot || target.closest?.(`${PICTURES}, input, textarea, select`)) {
      tell({ stray: (spot?.text ?? '').trim().slice(0, MAX_STRAY_CHARS) })
    }
  }
  function drop(event: DragEvent): void {
    const target = event.composedPath()[0] as Element
    const image = target.closest?.('img')
    const place = image ? placeOf(image) : null
    const file = event.dataTransfer?.files[0] ?? null
    if (place && file) tell({ image: { place, file } })
    else if (file) tell({ stray: '' })
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
  on('dragover', (event: Event) => event.preventDefault())
  on('keydown', key)
  for (const name of ['keyup', 'keypress'] as const) {
    on(name, (event: Event) => field !== null && event.stopImmediatePropagation())
  }
}

/** Shows a file that the editor has put in the place of an image. */
function showImage({ place, file }: NonNullable<Answer['show']>): void {
  const image = elementsAt(place.number)[place.nth]
  if (!(image instanceof HTMLImageElement)) return
  if (image.parentElement?.localName === 'picture') {
    for (const source of image.parentElement.querySelectorAll('source')) source.remove()
  }
  image.removeAttribute('srcset')
  image.src = URL.createObjectURL(file)
}
