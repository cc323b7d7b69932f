import { File, FileText, Image, Layers } from 'lucide-react'
import type { ListedPage } from '../boot.ts'
import { kindOf } from '../page/words.ts'

const KINDS = {
  page: { icon: File, name: 'Page' },
  deck: { icon: Layers, name: 'Deck' },
  pdf: { icon: FileText, name: 'PDF' },
  image: { icon: Image, name: 'Image' },
}

export function KindIcon({ page, className = '' }: { page: ListedPage; className?: string }) {
  const { icon: Icon, name } = KINDS[kindOf(page)]
  return <Icon size={18} role="img" aria-label={name} className={className} />
}
