import { useEffect, useRef, useState } from 'preact/compat'
import { percentDecoded } from '../../../src/model/page-name.ts'
import { keepFocus } from '../../keep-focus.ts'
import type { DocumentMessage, Mark, PlacedSpot, SpotMark } from '../../shell/frame-message.ts'
import { createFramePort, type FramePort } from '../../shell/frame-port.ts'
import { passageMarks, spotMarks } from '../../threads/model.ts'
import type { Thread } from '../threads/model.ts'

/**
 * Marks in a frame what a thread is about, and scrolls there. The page may send anything: it leads
 * the dashboard nowhere, sends nothing through it, and learns the words of that one passage.
 */
export function usePassage(thread: Thread | null) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [spot, setSpot] = useState<PlacedSpot | null>(null)
  const [isMarked, setMarked] = useState(false)
  const [marker] = useState(() => createMarker(() => frame.current, { setSpot, setMarked }))
  useEffect(() => marker.close, [marker])
  const place = JSON.stringify(thread === null ? NOWHERE : placeOf(thread))
  // Not whenever the thread is read again: the owner may have scrolled away.
  useEffect(() => marker.show(JSON.parse(place)), [marker, place])
  // The keys of the list go on working.
  useEffect(() => keepFocus(() => frame.current, true), [])
  return { ref: frame, name: marker.name, spot, isMarked }
}

interface Place {
  /** Of a deck, the file. */
  path: string
  marks: Mark[]
  spots: SpotMark[]
}
const NOWHERE: Place = { path: '', marks: [], spots: [] }

function placeOf(thread: Thread): Place {
  return { path: thread.path, marks: passageMarks(thread), spots: spotMarks(thread) }
}

function createMarker(
  frameOf: () => HTMLIFrameElement | null,
  view: { setSpot(spot: PlacedSpot | null): void; setMarked(isMarked: boolean): void },
): Pick<FramePort, 'name' | 'close'> & { show(place: Place): void } {
  const { name, post, onMessage, close } = createFramePort({
    windowOf: () => frameOf()?.contentWindow ?? null,
    origin: 'null',
    entries: { local: [], session: [], cookie: [] },
    paths: [],
  })
  let place = NOWHERE
  let isElsewhere = false
  let isRevealed = false

  function send(): void {
    isRevealed = false
    view.setSpot(null)
    view.setMarked(false)
    if (!isElsewhere) post({ type: 'marks', marks: place.marks, spots: place.spots })
  }
  function reveal(ids: string[]): void {
    const id = [...place.marks, ...place.spots].find((mark) => ids.includes(mark.id))?.id
    view.setMarked(id !== undefined)
    if (id === undefined || isRevealed) return
    isRevealed = true
    post({ type: 'reveal', id })
  }
  onMessage((message: DocumentMessage) => {
    if (message.type === 'location') {
      const [path = ''] = message.path.split(/[?#]/, 1)
      isElsewhere = place.path !== '' && percentDecoded(path) !== place.path
    } else if (message.type === 'ready-for-marks') send()
    else if (message.type === 'marks-shown') reveal(message.ids)
    else if (message.type === 'marks-placed') {
      view.setSpot(message.spots.find(({ id }) => place.spots[0]?.id === id) ?? null)
      if (place.spots.length > 0) reveal(message.spots.map(({ id }) => id))
    }
  })
  return {
    name,
    close,
    show(next) {
      const frame = frameOf()
      const isSameFile = next.path === place.path
      place = next
      // The owner followed a link of the page: its file is loaded again.
      if (isSameFile && isElsewhere && frame) frame.contentWindow?.location.replace(frame.src)
      else send()
    },
  }
}
