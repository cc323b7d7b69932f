import { launchWithWindows } from './browser.ts'
import { isolationSuite } from './isolation.ts'
import { launchChromium } from './isolation-visitor.ts'

isolationSuite(() => launchChromium(launchWithWindows))
