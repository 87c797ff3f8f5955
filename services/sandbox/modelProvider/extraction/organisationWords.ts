import { fold } from './foldedText.ts'

/** Words that mark the name of an organisation: legal forms, and kinds of workplaces and schools. */
const ORGANISATION =
  /\b(gmbh|ggmbh|ag|kg|se|eg|ohg|ev|ltd|limited|llp|llc|inc|plc|corp|ab|sa|sas|sarl|bv|nv|oy|spa|group|gruppe|groupe|partners?|holding|bank|banque|university|universite|universitat|universidad|college|school|schule|ecole|lycee|academy|akademie|institute?|institut|instituto|hochschule|fachhochschule|berufskolleg|insa|hospital|hopital|krankenhaus|klinikum|klinik|clinique|infirmary|hotel|gasthof|auberge|restaurant|bistrot|agency|agentur|agence|kanzlei|cabinet|atelier|studio|studios|software|systems|services|solutions|analytics|logistics|technologies|foods|games|cloud|labs?|museum|verlag|publishing|werke?|fabrik|museum|society|foundation|stiftung)\b|(schule|universitat|werk|fabrik|klinik|verlag|haus)$/

/** Job titles in three languages, and common endings of others. */
const ROLE =
  /\b(engineer|developer|manager|director|analyst|scientist|designer|nurse|teacher|accountant|consultant|assistant|administrator|architect|officer|representative|specialist|researcher|technician|electrician|chef|cook|driver|lead|leader|head|intern|apprentice|coordinator|clerk|editor|translator|programmer|supervisor|salesperson|lawyer|trainer|student|leiter(in)?|ingenieur(in)?|entwickler(in)?|techniker(in)?|kaufmann|kauffrau|mitarbeiter(in)?|angestellter?|fachkraft|pfleger(in)?|krankenschwester|pflegefachfrau|buchhalter(in)?|koch|kochin|souschef|kuchenchef|berater(in)?|analyst(in)?|elektroniker(in)?|werkstudent(in)?|praktikant(in)?|assistent(in)?|meister(in)?|verkaufer(in)?|lehrer(in)?|referent(in)?|ingenieure?|developpeu(r|se)|chefe?|cheffe|chargee?|comptable|aide|infirmiere?|technicien(ne)?|graphiste|integrat(eur|rice)|commis|second|directeur|directrice|responsable|assistante?|conseillere?|vendeu(r|se)|stagiaire|redact(eur|rice)|professeure?|cuisiniere?|conduct(eur|rice))\b|(ingenieur(in)?|entwickler(in)?|leiter(in)?|angestellter?|techniker(in)?|manager(in)?|designer(in)?|berater(in)?|analyst(in)?)$/

/** Words that mark a degree. */
const DEGREE =
  /\b(bsc|msc|ba|ma|bcom|mba|phd|bachelor|master|diploma|degree|nvq|certificate|b\.sc|m\.sc|b\.a|m\.a|diplom|promotion|ausbildung|lehre|examen|abitur|realschulabschluss|staatsexamen|studium|licence|bts|dut|cap|bac|baccalaureat|diplome|doctorat|brevet|ingenieur civil|grado|licenciatura)\b/

export function looksLikeOrganisation(text: string): boolean {
  return ORGANISATION.test(fold(text))
}

export function looksLikeRole(text: string): boolean {
  return ROLE.test(fold(text))
}

export function looksLikeDegree(text: string): boolean {
  return DEGREE.test(fold(text))
}
