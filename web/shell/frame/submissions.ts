import { type Answer, SHELL_SEND, type Submission } from '../../runtime/submission.ts'
import { type MessageOf, readMessage } from '../frame-message.ts'
import type { Post } from './connection.ts'
import { FILES, isForeign } from './location.ts'
import { forwardRenewals } from './renewal.ts'

/**
 * Gives the runtime, and the frames inside this document, a way to send through the shell.
 * @param post null in a nested frame, which sends through the document around it
 */
export function offerSubmit(post: Post | null): void {
  const forward = (submission: Submission, answerPort: MessagePort) => {
    if (post) post({ type: 'submit', submission }, [answerPort])
    else window.parent.postMessage(relay(submission), '*', [answerPort])
  }
  const send = (submission: Submission) =>
    new Promise<Answer>((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = ({ data }: MessageEvent<unknown>) => {
        const answer = readMessage(data, 'answer')
        if (answer === null) return
        port1.close()
        resolve(answer)
      }
      forward(submission, port2)
    })
  Object.defineProperty(window, SHELL_SEND, { configurable: true, value: send })

  const knownPaths = forwardRenewals(post)
  window.addEventListener('message', (event: MessageEvent<unknown>) => {
    const message = readMessage(event.data, 'relay')
    // Every sandboxed frame has the origin 'null': only this page's own know the path of its files.
    const sender = event.source as Window | null
    if (message === null || !knownPaths.has(message.files) || sender?.parent !== window) return
    if (isForeign(event)) return
    event.stopImmediatePropagation()
    const [answerPort] = event.ports
    if (answerPort !== undefined) forward(message.submission, answerPort)
  })
}

function relay(submission: Submission): MessageOf<'relay'> {
  return { type: 'relay', files: FILES!, submission }
}
