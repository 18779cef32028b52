/** Words of a question that do not help to find a node. */
export const fillers: ReadonlySet<string> = new Set(
  `a an the this that these those some any it its i me my mine we us our you your he she they them their who whom which
  what how why where is are was were be been being am do does did doing done have has had having can could should would
  will shall may might must to of in on at by for with from into onto out over under about as and or but nor so than then
  too very just also only own same such no not dont doesnt didnt cant wont isnt please want wants wanted need needs needed
  like would lets let help way there here up down off via per if else when whenever while until after before again more
  most other another each every all both few one ones something somebody someone anything anybody everything everybody
  thing things n8n node nodes step use using used make makes get gets got getting go goes going able using through`
    .split(/\s+/)
    .filter(Boolean),
);
