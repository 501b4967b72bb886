//! Written by the generator: see `tests/fuzz_corpus.rs`.

use crate::Program;

mod part00;
mod part01;
mod part02;
mod part03;
mod part04;
mod part05;
mod part06;
mod part07;
mod part08;
mod part09;
mod part10;
mod part11;
mod part12;
mod part13;
mod part14;
mod part15;
mod part16;
mod part17;

pub fn programs() -> &'static [Program] {
    crate::programs! {
        part00::p000
        part00::p001
        part00::p002
        part00::p003
        part00::p004
        part00::p005
        part00::p006
        part00::p007
        part00::p008
        part00::p009
        part01::p010
        part01::p011
        part01::p012
        part01::p013
        part01::p014
        part01::p015
        part01::p016
        part01::p017
        part01::p018
        part01::p019
        part02::p020
        part02::p021
        part02::p022
        part02::p023
        part02::p024
        part02::p025
        part02::p026
        part02::p027
        part02::p028
        part02::p029
        part03::p030
        part03::p031
        part03::p032
        part03::p033
        part03::p034
        part03::p035
        part03::p036
        part03::p037
        part03::p038
        part03::p039
        part04::p040
        part04::p041
        part04::p042
        part04::p043
        part04::p044
        part04::p045
        part04::p046
        part04::p047
        part04::p048
        part04::p049
        part05::p050
        part05::p051
        part05::p052
        part05::p053
        part05::p054
        part05::p055
        part05::p056
        part05::p057
        part05::p058
        part05::p059
        part06::p060
        part06::p061
        part06::p062
        part06::p063
        part06::p064
        part06::p065
        part06::p066
        part06::p067
        part06::p068
        part06::p069
        part07::p070
        part07::p071
        part07::p072
        part07::p073
        part07::p074
        part07::p075
        part07::p076
        part07::p077
        part07::p078
        part07::p079
        part08::p080
        part08::p081
        part08::p082
        part08::p083
        part08::p084
        part08::p085
        part08::p086
        part08::p087
        part08::p088
        part08::p089
        part09::p090
        part09::p091
        part09::p092
        part09::p093
        part09::p094
        part09::p095
        part09::p096
        part09::p097
        part09::p098
        part09::p099
        part10::p100
        part10::p101
        part10::p102
        part10::p103
        part10::p104
        part10::p105
        part10::p106
        part10::p107
        part10::p108
        part10::p109
        part11::p110
        part11::p111
        part11::p112
        part11::p113
        part11::p114
        part11::p115
        part11::p116
        part11::p117
        part11::p118
        part11::p119
        part12::p120
        part12::p121
        part12::p122
        part12::p123
        part12::p124
        part12::p125
        part12::p126
        part12::p127
        part12::p128
        part12::p129
        part13::p130
        part13::p131
        part13::p132
        part13::p133
        part13::p134
        part13::p135
        part13::p136
        part13::p137
        part13::p138
        part13::p139
        part14::p140
        part14::p141
        part14::p142
        part14::p143
        part14::p144
        part14::p145
        part14::p146
        part14::p147
        part14::p148
        part14::p149
        part15::p150 (second)
        part15::p151
        part15::p152 (second)
        part15::p153
        part15::p154 (second)
        part15::p155
        part15::p156 (second)
        part15::p157
        part15::p158 (second)
        part15::p159
        part16::p160 (second)
        part16::p161
        part16::p162 (second)
        part16::p163
        part16::p164 (second)
        part16::p165
        part16::p166 (second)
        part16::p167
        part16::p168 (second)
        part16::p169
        part17::p170 (second)
        part17::p171
        part17::p172 (second)
        part17::p173
        part17::p174 (second)
        part17::p175
        part17::p176 (second)
        part17::p177
        part17::p178 (second)
        part17::p179
    }
}
