import type { Connection } from '../connection.ts'
import { start } from '../start.ts'
import { createElementMarks } from './element-marks.ts'
import { reportSpot } from './images.ts'
import { createMarks } from './marks.ts'
import { offerElements } from './pick.ts'
import { reportSelection } from './selection.ts'

/** The first script of a framed page that has comments. */
start(connectPassages)

function connectPassages(connection: Connection): void {
  const { post, onMessage } = connection
  const whenReady = (task: () => void) =>
    document.readyState === 'loading'
      ? document.addEventListener('DOMContentLoaded', task, { once: true })
      : task()
  whenReady(() => {
    reportSelection(post)
    reportSpot(post)
    offerElements(connection)
    const marks = createMarks(post)
    const elementMarks = createElementMarks(post)
    onMessage((message) => {
      if (message.type === 'marks') {
        marks?.set(message.marks)
        elementMarks.set(message.spots)
      } else if (message.type === 'reveal') {
        marks?.reveal(message.id)
        elementMarks.reveal(message.id)
      }
    })
    // The shell may have sent marks before.
    post({ type: 'ready-for-marks' })
  })
}
