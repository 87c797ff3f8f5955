import type { Statement, VariableDeclarator } from '@swc/core'
import { Visitor } from '@swc/core/Visitor.js'

const visitStatement = Visitor.prototype.visitStatement

// The visitor that dependency-cruiser walks with throws on `using`, which swc itself parses and its types leave out.
Visitor.prototype.visitStatement = function (this: Visitor, statement: Statement): Statement {
  const { type, decls } = statement as { type: string; decls?: VariableDeclarator[] }
  if (type !== 'UsingDeclaration' || decls === undefined) return visitStatement.call(this, statement)
  this.visitVariableDeclarators(decls)
  return statement
}
