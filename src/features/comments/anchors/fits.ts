import { type Anchor, isSheetAnchor, isTextAnchor } from '../../../model/anchor.ts'
import { isHtml, type ManifestFile } from '../../content/index.ts'

/** Whether an anchor is of the kind that a file of this type can have. */
export function fits(anchor: Anchor, file: Pick<ManifestFile, 'mime'>): boolean {
  if (isHtml(file)) return isTextAnchor(anchor) || (!isSheetAnchor(anchor) && !!anchor.element)
  if (file.mime === 'application/pdf') return isSheetAnchor(anchor)
  return !isTextAnchor(anchor) && !isSheetAnchor(anchor) && anchor.element === null
}
