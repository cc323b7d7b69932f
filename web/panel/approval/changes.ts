import type { ApprovalChanges } from '../../../src/features/approvals/contract.ts'
import type { FileChange } from '../../../src/features/content/contract.ts'
import { h } from '../elements.ts'

/** The text difference of two versions. */
export function changesElement(changes: ApprovalChanges): HTMLElement {
  const { from_version_no: from, to_version_no: to, files, is_cut: isCut } = changes
  const title = `What changed from version ${from} to ${to}`
  return h(
    'section',
    { class: 'changes stack tight', 'aria-label': title },
    h('h4', {}, title),
    ...(files === null
      ? [h('p', {}, `Version ${from} is no longer kept, so what changed cannot be shown.`)]
      : files.map(fileElement)),
    isCut && h('p', { class: 'hint' }, 'There are more changes than these.'),
  )
}

const STATES = { added: 'New file', removed: 'Removed file', changed: 'Changed' } as const

function fileElement({ path, state, lines }: FileChange): HTMLElement {
  return h(
    'div',
    { class: 'file' },
    path !== '' && h('p', { class: 'hint', dir: 'auto' }, `${STATES[state]}: ${path}`),
    lines === null && h('p', {}, 'It has changed, and the difference cannot be shown as text.'),
    lines?.length === 0 && h('p', {}, 'Its text is the same; its code or its style has changed.'),
    ...(lines ?? []).map(lineElement),
  )
}

const NAMES = { added: 'ins', removed: 'del', same: 'p', gap: 'p' } as const

function lineElement({ kind, text }: NonNullable<FileChange['lines']>[number]): HTMLElement {
  return h(NAMES[kind], { class: kind, dir: 'auto' }, kind === 'gap' ? '…' : text)
}
