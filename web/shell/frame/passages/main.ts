import type { Connection } from '../connection.ts'
import { start } from '../start.ts'
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
    const marks = createMarks(post)
    onMessage((message) => {
      if (message.type === 'marks') marks?.set(message.marks)
      else if (message.type === 'reveal') marks?.reveal(message.id)
    })
    // The shell may have sent marks before.
    post({ type: 'ready-for-marks' })
  })
}
