import type { Connection } from '../connection.ts'
import { start } from '../start.ts'
import { createImageMarks } from './image-marks.ts'
import { reportSpot } from './images.ts'
import { createMarks } from './marks.ts'
import { reportSelection } from './selection.ts'

/** The first script of a framed page that has comments. */
start(connectPassages)

function connectPassages({ post, onMessage }: Connection): void {
  const whenReady = (task: () => void) =>
    document.readyState === 'loading'
      ? document.addEventListener('DOMContentLoaded', task, { once: true })
      : task()
  whenReady(() => {
    reportSelection(post)
    reportSpot(post)
    const marks = createMarks(post)
    const imageMarks = createImageMarks(post)
    onMessage((message) => {
      if (message.type === 'marks') {
        marks?.set(message.marks)
        imageMarks.set(message.spots)
      } else if (message.type === 'reveal') {
        marks?.reveal(message.id)
        imageMarks.reveal(message.id)
      }
    })
    // The shell may have sent marks before.
    post({ type: 'ready-for-marks' })
  })
}
