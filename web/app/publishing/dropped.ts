import { useAccount } from '../account.ts'
import type { Settings } from './publish.ts'
import type { Source } from './sources.ts'
import type { Question } from './stores.ts'

interface Taking {
  /** The page on which it was dropped. */
  pageId?: string | null
  form?: Question['form']
}

/** Publishes sources, each as a page, and shows how far that is. */
export function usePublishSources(): (sources: readonly Source[], settings?: Settings) => void {
  const account = useAccount()
  return (sources, settings) =>
    void import('./jobs.ts').then(({ publishSources }) =>
      publishSources(sources, account, settings),
    )
}

/** Asks about what could replace the content of a page, and makes pages of everything else. */
export function useTakeDropped(): (sources: Source[], taking?: Taking) => void {
  const publish = usePublishSources()
  return (sources, { pageId = null, form = null } = {}) =>
    void import('./questions.ts').then(async ({ ask, askAboutNamesakes }) => {
      if (pageId !== null) {
        ask({ pageId, sources, isNamesake: false, form })
        return
      }
      const others = await askAboutNamesakes(sources, form)
      if (others.length > 0) (form ?? publish)(others)
    })
}
