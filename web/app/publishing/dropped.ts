import type { Settings } from './publish.ts'
import type { Source } from './sources.ts'
import type { Question } from './stores.ts'

// What works on drops is loaded with the first of them.

/** Publishes sources, each as a page, and shows how far that is. */
export function publishSources(sources: readonly Source[], settings?: Settings): void {
  void import('./jobs.ts').then((jobs) => jobs.publishSources(sources, settings))
}

interface Target {
  /** The page on which it was dropped. */
  pageId?: string | null
  form?: Question['form']
}

/** Asks about what could replace the content of a page, and makes pages of everything else. */
export async function takeDropped(
  sources: Source[],
  { pageId = null, form = null }: Target = {},
): Promise<void> {
  const { ask, askAboutNamesakes } = await import('./questions.ts')
  if (pageId !== null) {
    ask({ pageId, sources, isNamesake: false, form })
    return
  }
  const others = await askAboutNamesakes(sources, form)
  if (others.length > 0) (form ?? publishSources)(others)
}
