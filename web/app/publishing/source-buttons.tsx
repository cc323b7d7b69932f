import { FolderOpen, Upload } from 'lucide-react'
import { FileButton } from './file-button.tsx'
import { folderOf, groupFiles, type Source } from './sources.ts'

/** Chooses files or a folder: each page among them is a source. */
export function SourceButtons({ onChoose }: { onChoose(sources: Source[]): void }) {
  return (
    <>
      <FileButton
        label="File"
        icon={<Upload size={16} aria-hidden />}
        onFiles={(files) => onChoose(groupFiles(files))}
      />
      <FileButton
        label="Folder"
        icon={<FolderOpen size={16} aria-hidden />}
        isFolder
        onFiles={(files) => onChoose(folderOf(files))}
      />
    </>
  )
}
