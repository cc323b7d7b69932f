import { type Answer, SEND, type Submission } from '../../runtime/submission.ts'
import type { FrameMessage, Passed } from '../handle-message.ts'
import { FILES } from './location.ts'

type Say = (said: FrameMessage, passed: Transferable[]) => void

/**
 * Offers the runtime to send through the shell, and to the frames inside this document as well.
 * @param say to the shell; null in a frame inside the page, which asks the document around it
 */
export function offerSending(say: Say | null): void {
  const ask = (send: Submission, answers: MessagePort) => {
    if (say) say({ send }, [answers])
    else window.parent.postMessage(passed(send), '*', [answers])
  }
  const send = (submission: Submission) =>
    new Promise<Answer>((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }: MessageEvent<Answer>) => {
        port1.close()
        resolve(data)
      }
      ask(submission, port2)
    })
  Object.defineProperty(window, SEND, { configurable: true, value: send })

  // Every sandboxed frame is of the origin 'null': only this page's own know where its files lie.
  window.addEventListener('message', (event: MessageEvent<Partial<Passed> | null>) => {
    const { source, data, ports } = event
    if (data?.handbill_files !== FILES || (source as Window | null)?.parent !== window) return
    event.stopImmediatePropagation()
    if (data?.send && ports[0]) ask(data.send, ports[0])
  })
}

function passed(send: Submission): Passed {
  return { handbill_files: FILES!, send }
}
