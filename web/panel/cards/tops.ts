import { pointOf, watchLayout } from '../../viewer/spot.ts'
import type { FileSpot } from '../comments/pins.tsx'
import type { FramedPage } from '../framed-page.ts'

/** A pin is this much higher than its spot. */
const PIN_PX = 12

/** Where the places of threads are in the window, in sight or not. */
interface Tops {
  read(): Map<string, number>
  /** The part of the window in which they are seen. */
  box(): { top: number; bottom: number }
  /** Whether anybody wants to know. */
  follow(isOn: boolean): void
}

/** Of passages and elements of the framed page, as its document tells. It may say anything. */
export function framedTops(frame: FramedPage, onChange: () => void): Tops {
  let passages = new Map<string, number>()
  let spots = new Map<string, number>()
  let isFollowed = false
  let path = frame.path()

  function follow(isOn: boolean): void {
    if (isOn !== isFollowed) frame.post({ type: 'follow-marks', is_on: isOn })
    isFollowed = isOn
  }
  function forget(): void {
    passages = new Map()
    spots = new Map()
  }
  frame.onMessage((message) => {
    switch (message.type) {
      // Another document, which is to be asked again.
      case 'ready-for-marks':
        forget()
        if (isFollowed) frame.post({ type: 'follow-marks', is_on: true })
        break
      case 'marks-moved':
        passages = new Map(message.marks.map(({ id, top }) => [id, top]))
        break
      case 'marks-placed':
        spots = new Map(message.spots.map(({ id, top }) => [id, top - PIN_PX]))
        break
      default:
        return
    }
    onChange()
  })
  frame.onMove(() => {
    if (path === frame.path()) return
    path = frame.path()
    forget()
    onChange()
  })

  const box = () => frame.box()!
  return {
    read() {
      const { top: from } = box()
      return new Map([...spots, ...passages].map(([id, top]) => [id, from + top]))
    },
    box,
    follow,
  }
}

/** Of spots on the image, or on the pages of the PDF. */
export function spotTops(spots: () => readonly FileSpot[], onChange: () => void): Tops {
  watchLayout(onChange)
  return {
    read() {
      const tops = new Map<string, number>()
      for (const spot of spots()) {
        const point = pointOf(spot)
        if (point !== null) tops.set(spot.threadId, point.top - PIN_PX)
      }
      return tops
    },
    box: () => document.getElementById('container')!.getBoundingClientRect(),
    follow: () => {},
  }
}
