import { count } from '../../../src/model/numbers.ts'
import type { ListedPage } from '../api.ts'
import { useCommands } from '../frame/palette.tsx'
import { nameOf } from '../page/words.ts'
import { moveTo } from './actions.ts'
import { useFolders } from './views.ts'

interface MoveCommands {
  /** The pages to move at the moment when the palette opens. */
  pagesToMove(): ListedPage[]
  /** Asks for the name of a new folder. */
  onAsk(pages: ListedPage[]): void
  onDone(): void
}

/** Puts each folder into the palette, for pages of the list. */
export function useMoveCommands({ pagesToMove, onAsk, onDone }: MoveCommands): void {
  const folders = useFolders()
  useCommands(() => {
    const pages = pagesToMove()
    const [first] = pages
    if (first === undefined) return []
    const what = pages.length === 1 ? nameOf(first) : count(pages.length, 'page')
    const move = (folder: string | null) => () => {
      void moveTo(pages, folder)
      onDone()
    }
    const others = folders.filter(({ name }) => pages.some(({ folder }) => folder !== name))
    return [
      ...others.map(({ name }) => ({ name: `Move to ${name}: ${what}`, run: move(name) })),
      { name: `Move to a new folder: ${what}`, run: () => onAsk(pages) },
      ...(pages.some(({ folder }) => folder !== null)
        ? [{ name: `Move out of the folder: ${what}`, run: move(null) }]
        : []),
    ]
  })
}
