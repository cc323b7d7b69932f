import type { ShellBridge } from '../shell/bridge.ts'
import type { DocumentMessage, FrameMessage } from '../shell/frame-message.ts'

/** The file that the visitor sees. In a PDF or image page nothing is framed: it has one file. */
export type FramedPage = ReturnType<typeof createFramedPage>

/**
 * By what the shell knows of its frame.
 *
 * @param shell undefined in the viewer of a PDF or image, which frames nothing
 * @param firstToken the source token of the file that was shown first
 */
export function createFramedPage(shell: ShellBridge | undefined, firstToken: string) {
  const sourceToken = () => shell?.stamp || firstToken

  return {
    /** Whether there is a frame that can be sent messages. */
    isFramed: shell !== undefined,
    sourceToken,
    /**
     * The path of the file of a deck that is shown, decoded; '' on other pages. It is not that of
     * the address, where `/` or a route of a script can mean any file.
     */
    path: () => fileOf(sourceToken()),
    /** Where the frame is in the window; null where nothing is framed. */
    box: () => document.querySelector('iframe')?.getBoundingClientRect() ?? null,
    /** The visitor went to another file, or the document was loaded again. */
    onMove(listener: () => void): void {
      let last = ''
      shell?.onMessage((message) => {
        if (message.type !== 'location') return
        const next = `${message.stamp} ${message.path.replace(/[?#].*/s, '')}`
        if (next !== last) listener()
        last = next
      })
    },
    /** Add the type of a message to `web/shell/frame-message.ts`. */
    post: (message: FrameMessage) => shell?.post(message),
    /** Messages of the document, checked for their form. The page may send anything. */
    onMessage: (listener: (message: DocumentMessage) => void) => shell?.onMessage(listener),
  }
}

/** The path of the file that a source token names. The page may say anything instead of one. */
function fileOf(sourceToken: string): string {
  const [content = ''] = sourceToken.split('.', 1)
  try {
    const text = atob(content.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = Uint8Array.from(text, (char) => char.charCodeAt(0))
    return String(JSON.parse(new TextDecoder().decode(bytes))[1])
  } catch {
    return ''
  }
}
