"""inlier check --target beside cleanlab: wrong labels spread over all rows, in one class, in one region, and grades.

    INLIER_DATA=... python bench/measure_targets.py ./inlier SEED [alone]

AtoB30: three in ten rows of the largest class are called the next one; region: four in ten labels of an eighth of the rows, all near each
other; grade1 and grade3: one and three steps off. Prints precision/recall of the labels called wrong (clean: their number), how often
the suggested label is right, the share of wrong labels among the suspicious, and cleanlab's find_label_issues on held-out probabilities of
LogisticRegression and SVC; with `alone` without cleanlab. ONLY=digits,wine in the environment picks sets.
"""
import sys,os,subprocess,csv,tempfile,warnings; warnings.filterwarnings('ignore')
import numpy as np,pandas as pd
from sklearn import datasets as D
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVC
from sklearn.preprocessing import StandardScaler
from sklearn.pipeline import make_pipeline
from sklearn.model_selection import cross_val_predict,StratifiedKFold
from cleanlab.filter import find_label_issues
exe=sys.argv[1]; seed=int(sys.argv[2]) if len(sys.argv)>2 else 1; peers=len(sys.argv)<=3
folder=tempfile.mkdtemp(prefix='targets-')
S={}
def sk(name,n=None):
    d=getattr(D,'load_'+name)(); x,y=d.data,d.target
    if n: x,y=x[:n],y[:n]
    return x,y
S['digits']=sk('digits',1000); S['cancer']=sk('breast_cancer'); S['wine']=sk('wine'); S['iris']=sk('iris')
for k in ('vehicle','seeds'):
    d=pd.read_csv(os.environ['INLIER_DATA']+f'/classification/{k}.csv'); y=pd.factorize(d.iloc[:,-1])[0]; S[k]=(d.iloc[:,:-1].values.astype(float),y)
r=np.random.default_rng(99)
x=r.normal(size=(1500,6)); s=x@[1,.8,-.6,.4,0,0]+.25*r.normal(size=1500); S['grades5']=(x,np.digitize(s,[-1.6,-.5,.5,1.6]))
x,y=D.make_moons(800,noise=.15,random_state=3); S['moons']=(np.c_[x,r.normal(size=(800,2))],y)
x,y=D.make_blobs(900,n_features=5,centers=4,cluster_std=2.2,random_state=4); S['blobs']=(x,y)
def noise(kind,x,y,r):
    y2=y.copy(); k=len(np.unique(y)); n=len(y)
    if kind=='uniform10':
        i=r.choice(n,n//10,replace=False); y2[i]=(y[i]+r.integers(1,k,len(i)))%k
    elif kind.startswith('AtoB'):
        sh=int(kind[4:])/100; a=int(np.argmax(np.bincount(y))); b=(a+1)%k; i=np.flatnonzero(y==a); i=r.choice(i,int(sh*len(i)),replace=False); y2[i]=b
    elif kind=='region':   # all wrong labels in a tenth of the space, half of the labels there
        c=x[r.integers(n)]; z=(x-x.mean(0))/(x.std(0)+1e-9); d=((z-(c-x.mean(0))/(x.std(0)+1e-9))**2).sum(1); i=np.argsort(d)[:n//8]; i=r.choice(i,int(.4*len(i)),replace=False); y2[i]=(y[i]+1)%k
    elif kind=='grade1': i=r.choice(n,n//12,replace=False); y2[i]=np.where(y[i]==0,1,y[i]-1)
    elif kind=='grade3': i=np.flatnonzero((y<=1)|(y>=3)); i=r.choice(i,n//20,replace=False); y2[i]=np.where(y[i]<=1,y[i]+3,y[i]-3)
    elif kind=='clean': pass
    return y2
def pr(f,t): 
    f=set(f);t=set(t); return f"{len(f&t)/max(len(f),1):.2f}/{len(f&t)/max(len(t),1):.2f}" if t else f"{len(f):9d}"
print(f"{'set':9} {'noise':10} {'n':>5} {'wrong':>5} | inlier   right-sugg susp-recall | cleanlab LR | cleanlab SVC")
tot={}
only=os.environ.get('ONLY','').split(',') if os.environ.get('ONLY') else None
for name,(x,y) in S.items():
    if only and name not in only: continue
    for kind in ['clean','uniform10','AtoB15','AtoB30','AtoB45','region']+(['grade1','grade3'] if name=='grades5' else []):
        r=np.random.default_rng([seed,sum(map(ord,name)),sum(map(ord,kind))]); y2=noise(kind,x,y,r); wrong=np.flatnonzero(y2!=y)
        f=f'{folder}/labels.csv'; names=np.array(['very low','low','medium','high','very high']) if name=='grades5' else np.array([f'class{c}' for c in 'ABCDEFGHIJ'])
        d=pd.DataFrame(x,columns=[f'x{i}' for i in range(x.shape[1])]); d['label']=names[y2]; d.to_csv(f,index=False)
        subprocess.run([exe,'check',f,'--target','label','--out',f'{folder}/out','--force','--quiet'],check=True,capture_output=True)
        c=[q for q in csv.DictReader(open(f'{folder}/out/cells.csv')) if q['column']=='label']
        called=[int(q['row'])-1 for q in c if q['wrong']=='true']; susp=[int(q['row'])-1 for q in c]
        sug=np.mean([q['expected']==names[y[int(q['row'])-1]] for q in c if q['wrong']=='true' and int(q['row'])-1 in set(wrong)] or [np.nan])
        line=f"{name:9} {kind:10} {len(y):5} {len(wrong):5} | {pr(called,wrong)} {sug:.2f}  {len(set(susp)&set(wrong))/max(1,len(wrong)):.2f}"
        res=[(called)]
        if peers:
            for est in (LogisticRegression(max_iter=500),SVC(probability=True)):
                p=cross_val_predict(make_pipeline(StandardScaler(),est),x,y2,cv=StratifiedKFold(5,shuffle=True,random_state=1),method='predict_proba')
                q=np.flatnonzero(find_label_issues(y2,p)); line+=' | '+pr(q,wrong); res.append(q)
        print(line,flush=True)
        for i,q in enumerate(res):
            t=tot.setdefault((kind,i),[0,0,0]); t[0]+=len(set(q)&set(wrong)); t[1]+=len(q); t[2]+=len(wrong)
for (k,i),t in sorted(tot.items()): print(k,['inlier','cl-LR','cl-SVC'][i],'P %.2f R %.2f  flagged %d wrong %d'%(t[0]/max(t[1],1),t[0]/max(t[2],1),t[1],t[2]))
