import type { ShellBridge } from '../shell/bridge.ts'
import type { FramedPage } from './tab.ts'

/**
 * The file that the visitor sees, by what the shell knows of its frame.
 *
 * @param shell undefined in the viewer of a PDF or image, which frames nothing
 * @param firstStamp the source token of the file that was shown first
 */
export function createFramedPage(shell: ShellBridge | undefined, firstStamp: string): FramedPage {
  const isDeck = document.body.dataset.only === ''

  return {
    isFramed: shell !== undefined,
    stamp: () => shell?.stamp || firstStamp,
    path: () => (isDeck ? decoded(shell?.path ?? '') : ''),
    box: () => document.querySelector('iframe')?.getBoundingClientRect() ?? null,
    onMove(listener) {
      let shown = ''
      shell?.onMessage((message) => {
        if (message.type !== 'location') return
        const moved = `${message.stamp} ${message.path}`
        if (moved !== shown) listener()
        shown = moved
      })
    },
    post: (message) => shell?.post(message),
    onMessage: (listener) => shell?.onMessage(listener),
  }
}

/** The path of a file, without query and hash. */
function decoded(path: string): string {
  const [file = ''] = path.split(/[?#]/, 1)
  try {
    return decodeURIComponent(file)
  } catch {
    return file
  }
}
