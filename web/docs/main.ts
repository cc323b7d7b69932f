import { goToOldAnchor } from './anchors.ts'
import { addCopyButtons } from './copy.ts'
import { rememberLanguage } from './languages.ts'
import { closeMenuAfterUse } from './menu.ts'
import { followReading } from './reading.ts'
import { enhanceSearch } from './search.ts'

/** The script of the documentation. Without it, everything can be read, and the search works. */
rememberLanguage()
addCopyButtons()
enhanceSearch()
closeMenuAfterUse()
followReading()
goToOldAnchor()
