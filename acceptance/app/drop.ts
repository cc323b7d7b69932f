/** Drops files onto the dashboard. Import it from *.browser.test.ts alone. */
import type { Page as Tab } from 'playwright-core'

/** With a size, the content is followed by spaces. */
export type Dropped = [name: string, content: string | Uint8Array, sizeBytes?: number]

/** Drops files onto the window, as a person does. */
export function drop(tab: Tab, ...files: Dropped[]): Promise<void> {
  return dropOn(tab, 'main', ...files)
}

/** Drops files onto an element. */
export async function dropOn(tab: Tab, selector: string, ...files: Dropped[]): Promise<void> {
  const sent = files.map(([name, content, sizeBytes = 0]) => {
    return { name, bytes: [...Buffer.from(content as string)], sizeBytes }
  })
  const data = await tab.evaluateHandle((all) => {
    const transfer = new DataTransfer()
    for (const { name, bytes, sizeBytes } of all) {
      const spaces = ' '.repeat(Math.max(0, sizeBytes - bytes.length))
      transfer.items.add(new File([new Uint8Array(bytes), spaces], name))
    }
    return transfer
  }, sent)
  await tab.dispatchEvent(selector, 'dragenter', { dataTransfer: data })
  await tab.dispatchEvent(selector, 'drop', { dataTransfer: data })
}
