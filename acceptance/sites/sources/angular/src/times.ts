import { Component } from '@angular/core'

@Component({ template: '<h1>Times</h1><p>It leaves at nine.</p>' })
export class Times {}
