import type { CommandContext } from './command.ts'
import type { LocalContent } from './local-content/index.ts'
import { contentOptions, replaceContent, type Written } from './publishing.ts'
import { sendChanges } from './send-changes.ts'

/** Replaces the content of a page by local content. Of a deck, it sends only what changed. */
export async function replaceWithLocal(
  context: CommandContext,
  id: string,
  local: LocalContent,
): Promise<Written> {
  const options = contentOptions(context, local)
  return sendChanges({
    client: context.client(),
    id,
    local,
    send: (content, ifMatch) =>
      replaceContent(
        context,
        { id, ...(ifMatch !== undefined && { ifMatch }) },
        { ...content, ...options },
      ),
  })
}
